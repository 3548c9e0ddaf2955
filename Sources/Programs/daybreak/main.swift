import DaybreakCompanion

daybreak()
