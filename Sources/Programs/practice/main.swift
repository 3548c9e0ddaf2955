import PracticeCompanion

practice()
