public import Companion
public import PracticeInterfaces

extension LongText {
    /// The unsent text of a room.
    static func chat(in room: String, by writer: Writer) -> LongText { LongText("chat", for: room, by: writer) }
}

extension LongText.Writer {
    /// The caller of a practice, as `WhoAmI` reports them.
    public init(_ caller: Practice.WhoAmI.Reply, over connection: DaemonConnection) {
        self.init(
            at: connection.path, in: caller.practice, caller.person.map { [$0.id, $0.name] } ?? [])
    }

    public init(over connection: DaemonConnection) throws(Failure) {
        self.init(try connection.call(Practice.WhoAmI()), over: connection)
    }
}
