// The values of a schedule are the values of the rules, so that a user of the rules need not import the format, too.
@_exported public import ScheduleFormat
