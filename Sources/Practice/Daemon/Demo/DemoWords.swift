/// Names, words and sentences for a made-up practice.
enum DemoWords {
    static let thanatologists = ["Ana Ruiz", "Ben Adler", "Ángeles Ortega", "Noor Haddad"]

    /// A thanatologist who left, and their clients.
    static let retired = "Ilse Brandt"
    static let clientsOfRetired = ["Tomás Rivas", "Frieda Lang", "Amal Nasser"]

    static let given = [
        "Adela", "Bruno", "Carla", "Dario", "Elena", "Félix", "Greta", "Hugo", "Inés", "Jonas", "Katja", "Lucía",
        "Mateo",
        "Nina", "Óscar", "Paula", "Quirin", "Rosa", "Samuel", "Teresa", "Ulrike", "Víctor", "Wanda", "Ximena", "Yusuf",
        "Zoe",
    ]
    static let family = [
        "Aguilar", "Berger", "Castro", "Domínguez", "Ebert", "Fuentes", "García", "Hernández", "Ibáñez", "Jäger",
        "Keller",
        "López", "Morales", "Núñez", "Ochoa", "Pérez", "Quintero", "Ramos", "Schmidt", "Torres", "Ulloa", "Vega",
        "Weber",
    ]

    static let motives = [
        "Loss of a partner", "Loss of a parent", "Loss of a child", "Illness", "Separation", "Loss of work",
        "Migration",
        "Anticipated loss",
    ]
    static let tools = [
        "Letter of farewell", "Breathing", "Lifeline", "Photographs", "Drawing", "Guided imagery", "Diary", "Ritual",
    ]

    /// Category, name, description, minutes, fee in hundredths.
    static let services: [(String, String, String, Int, Int)] = [
        ("Accompaniment", "First conversation", "To get to know each other, and to see what would help.", 50, 0),
        (
            "Accompaniment", "Grief session",
            "A conversation of fifty minutes about what was lost, and about what stays.", 50, 6_500
        ),
        ("Accompaniment", "Accompaniment at home", "For those who cannot come to us.", 80, 9_000),
        ("Families", "Family session", "For up to six people who mourn together.", 90, 12_000),
        ("Families", "Children and farewell", "Drawing, play and words for children from five years on.", 45, 5_000),
        (
            "Groups", "Open evening", "A circle of people with a loss behind them, on the first Thursday of the month.",
            120, 1_500
        ),
    ]

    static let notes = [
        "Spoke of the first weeks. Sleeps better, eats little. The letter is begun.",
        "Brought photographs and chose three. Long silence, then laughter over the boat.",
        "Birthday is near. We planned the day, hour by hour, with a friend to call.",
        "Anger at the hospital. Named it, wrote it down, kept the paper here.",
        "Breathing at the beginning and at the end. The evenings remain the hardest.",
        "Went back to work on Monday. Tired and proud of it.",
        "Drew the lifeline. Two losses that were never spoken of before.",
        "Said goodbye at the river, as planned. Brought a stone.",
    ]

    /// Subject, text, and the client's answer.
    static let letters = [
        (
            "Tomorrow", "Dear client,\n\ntomorrow at the usual hour. Bring the photographs, if you like.\n\nUntil then",
            "I shall bring three. Thank you."
        ),
        (
            "What we spoke of",
            "The page with the breathing exercise is in the practice's library, second shelf. "
                + "Take your time with it.", "I found it, and slept better for it."
        ),
        (
            "The hour is moved", "The heating is repaired in the morning, so we meet half an hour later.",
            "That is well. Until then."
        ),
    ]
    /// The talk in the team's room, by one after the other.
    static let teamTalk = [
        "Good morning. The heating works again.", "Thank you! Who has the large room on Thursday?",
        "I do, from three to five.", "Then I take it at six.",
        "The new leaflets are in the kitchen,\nbeside the tea.", "Two are left already.", "I shall print more.",
        "Whose umbrella stands in the hall?", "Mine. I fetch it tonight.",
    ]

    /// Questions to a client, and their answers.
    static let clientTalk = [
        ("Is the hour on Friday still right for you?", "Yes, I shall be there."),
        ("How was the walk?", "Longer than I thought. It did me good."),
        ("I found the poem that we spoke of. Shall I bring it?", "Please do!"),
    ]

    /// Text and audience.
    static let announcements = [
        ("The practice is closed between the years. In an emergency call 112.", "everybody"),
        ("The team meets on the first Monday of the month at nine.", "staff"),
    ]

    static let thanks = "Thank you for your words. Until soon."

    static let addenda = [
        "The stone came from the other river: she corrected it at the door.",
        "He called in the evening: the friend will come on the birthday.",
    ]

    /// Talking points of the next session.
    static let points = ["The letter: read it aloud, if you like.", "How the evenings are.", "The day in spring."]

    /// A client's notes for the next session.
    static let clientNotes = ["I dreamed of the boat again.", "Ask about the photographs.", "Two good evenings."]

    /// Words about the care, and a rating.
    static let feedback = [
        ("I am listened to here.", 5), ("The hours pass too fast.", 4), ("The chairs in the hall are hard.", 3),
    ]

    static let closings = ["The goal was reached.", "Moved to another town.", "Wishes to go on alone for now."]
}
