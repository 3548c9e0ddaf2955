extension Tables {
    /// Programmes, enrolments and surveys: the step to version 5.
    static let programmes = """
        -- The programmes, by their authors' own words for them. revision: of the newest version.
        CREATE TABLE programme (programme TEXT PRIMARY KEY, revision BIGINT NOT NULL, offered INTEGER NOT NULL);

        -- Each version of a programme, as it was imported. An enrolment keeps the version with which it began.
        CREATE TABLE programme_version (
            programme TEXT NOT NULL, revision BIGINT NOT NULL, name TEXT NOT NULL, summary TEXT NOT NULL, at BIGINT NOT NULL,
            by_person BIGINT NOT NULL, PRIMARY KEY (programme, revision)
        );
        -- position: from 1. after_days: whole days after the first day. after_lesson, after_survey: what comes before it. text:
        -- CommonMark; last, so that lists do not read it.
        CREATE TABLE lesson (
            programme TEXT NOT NULL, revision BIGINT NOT NULL, position BIGINT NOT NULL, lesson TEXT NOT NULL,
            title TEXT NOT NULL, minutes BIGINT, after_days BIGINT NOT NULL, after_lesson TEXT, after_survey TEXT,
            text TEXT NOT NULL, PRIMARY KEY (programme, revision, position), UNIQUE (programme, revision, lesson)
        );
        -- first_day: of an enrolment, from 1. questions: their count. least, greatest: the bounds of the score; NULL without one.
        -- text: a FHIR R4 Questionnaire.
        CREATE TABLE questionnaire (
            programme TEXT NOT NULL, revision BIGINT NOT NULL, position BIGINT NOT NULL, survey TEXT NOT NULL,
            title TEXT NOT NULL, questions BIGINT NOT NULL, first_day BIGINT NOT NULL, every_days BIGINT NOT NULL,
            times BIGINT NOT NULL, open_days BIGINT NOT NULL, least REAL, greatest REAL, text TEXT NOT NULL,
            PRIMARY KEY (programme, revision, position), UNIQUE (programme, revision, survey)
        );
        -- Breathing tasks. day: of an enrolment, from 1. moods: a JSON array of texts.
        CREATE TABLE programme_task (
            programme TEXT NOT NULL, revision BIGINT NOT NULL, position BIGINT NOT NULL, day BIGINT NOT NULL,
            breaths BIGINT NOT NULL, moods TEXT NOT NULL, pattern TEXT, PRIMARY KEY (programme, revision, position)
        );

        -- on_day: its first day, by the client's calendar.
        CREATE TABLE enrolment (
            id {id}, client BIGINT NOT NULL, programme TEXT NOT NULL, revision BIGINT NOT NULL, on_day TEXT NOT NULL,
            at BIGINT NOT NULL, by_person BIGINT NOT NULL
        );
        CREATE INDEX enrolment_of_client ON enrolment (client, id);
        -- kind: finished, withdrawn.
        CREATE TABLE enrolment_end (
            enrolment BIGINT PRIMARY KEY, client BIGINT NOT NULL, kind TEXT NOT NULL, on_day TEXT NOT NULL, at BIGINT NOT NULL,
            by_person BIGINT NOT NULL, reason TEXT NOT NULL
        );
        CREATE INDEX enrolment_end_of_client ON enrolment_end (client);
        -- The tasks of the client's schedule that an enrolment added.
        CREATE TABLE enrolment_task (
            enrolment BIGINT NOT NULL, client BIGINT NOT NULL, task TEXT NOT NULL, PRIMARY KEY (enrolment, task)
        );
        CREATE INDEX enrolment_task_of_client ON enrolment_task (client);
        CREATE TABLE lesson_read (
            enrolment BIGINT NOT NULL, client BIGINT NOT NULL, lesson TEXT NOT NULL, at BIGINT NOT NULL,
            PRIMARY KEY (enrolment, lesson)
        );
        CREATE INDEX lesson_read_of_client ON lesson_read (client);

        -- The occurrences of surveys. opens_on: the first day on which it can be answered; closes_on: the first day on which it
        -- cannot any more. occurrence: from 1.
        CREATE TABLE survey (
            id {id}, client BIGINT NOT NULL, enrolment BIGINT NOT NULL, survey TEXT NOT NULL, occurrence BIGINT NOT NULL,
            opens_on TEXT NOT NULL, closes_on TEXT NOT NULL, UNIQUE (enrolment, survey, occurrence)
        );
        CREATE INDEX survey_of_client ON survey (client, opens_on, id);
        -- The surveys that are neither answered nor missed, nor withdrawn. opens, closes: the beginnings of those days in the
        -- client's zone. told: 1 once the client was told that it is open.
        CREATE TABLE survey_pending (
            survey BIGINT PRIMARY KEY, client BIGINT NOT NULL, opens BIGINT NOT NULL, closes BIGINT NOT NULL,
            told INTEGER NOT NULL
        );
        CREATE INDEX survey_pending_of_client ON survey_pending (client, opens, survey);
        CREATE INDEX survey_pending_by_opening ON survey_pending (opens) WHERE told = 0;
        CREATE INDEX survey_pending_by_closing ON survey_pending (closes);
        -- Answers so far, of a pending survey. answers: a FHIR R4 QuestionnaireResponse.
        CREATE TABLE survey_kept (
            survey BIGINT PRIMARY KEY, client BIGINT NOT NULL, at BIGINT NOT NULL, answers TEXT NOT NULL
        );
        CREATE INDEX survey_kept_of_client ON survey_kept (client);
        -- answers: a FHIR R4 QuestionnaireResponse. score: NULL if an answer that counts is missing.
        CREATE TABLE survey_answer (
            survey BIGINT PRIMARY KEY, client BIGINT NOT NULL, at BIGINT NOT NULL, score REAL, answers TEXT NOT NULL
        );
        CREATE INDEX survey_answer_of_client ON survey_answer (client);
        CREATE TABLE survey_missed (survey BIGINT PRIMARY KEY, client BIGINT NOT NULL, at BIGINT NOT NULL);
        CREATE INDEX survey_missed_of_client ON survey_missed (client);
        """
}
