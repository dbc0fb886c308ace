/// A day of the Gregorian calendar and a time of the day, as a clock shows them at some distance from UTC.
///
/// The calendar is proleptic: the leap years of the Gregorian calendar also count before its introduction in 1582, as
/// in ISO 8601. (For days before 15 October 1582, Foundation uses the Julian calendar.) Years are 1 to 9999. The
/// arithmetic is done here because setting up Foundation's calendar and time zones takes longer than reading thousands
/// of dates.
package struct CalendarTime {
    package var year = 1970
    package var month = 1
    package var day = 1
    package var hour = 0
    package var minute = 0
    /// The second of the minute, 0 to 60. The second 60 is a leap second.
    package var second = 0
    /// The part of the second that has passed, from 0 up to but not including 1.
    var fraction = 0.0
    /// How many seconds the clock is ahead of UTC.
    var offsetSeconds = 0

    private static let secondsPerDay: Int64 = 86_400
    /// The seconds from 1970 to 2001, from which `Date` counts.
    private static let secondsTo2001: Int64 = 978_307_200

    /// Makes midnight UTC of a day. The day need not exist: ``date`` is nil for 30 February.
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The moment that calendar and clock show, or nil if the day does not exist or a field of the time is out of its
    /// range.
    package var date: Date? {
        guard 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second, let daysSince1970 else { return nil }
        let secondOfDay = hour * 3600 + minute * 60 + second - offsetSeconds
        let secondsSince1970 = Int64(daysSince1970) * Self.secondsPerDay + Int64(secondOfDay)
        // `Date` counts from 2001. Adding the fraction to seconds since another year would cost precision.
        return Date(timeIntervalSinceReferenceDate: Double(secondsSince1970 - Self.secondsTo2001) + fraction)
    }

    /// The number of days from 1 January 1970 to this day, which is negative before 1970. It is nil if the day does not
    /// exist.
    ///
    ///     1970-01-02     1
    ///     1969-12-31    -1
    ///     2026-02-30    nil
    package var daysSince1970: Int? {
        guard 1...9999 ~= year, 1...12 ~= month, 1...daysInMonth ~= day else { return nil }
        // Count years and months from March, so that a leap day is the last day of its year.
        let marchYear = month <= 2 ? year - 1 : year
        let monthsSinceMarch = month <= 2 ? month + 9 : month - 3
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        // The months from March on have 31, 30, 31, 30 and 31 days, which are 153, then the same again. Rounded down,
        // (153 * m + 2) / 5 is the number of days before month m: 0, 31, 61, 92, 122, 153 and so on.
        let daysSinceMarch = (153 * monthsSinceMarch + 2) / 5 + day - 1
        let daysFromMarchOfYear0To1970 = 719_468
        return marchYear * 365 + leapDays + daysSinceMarch - daysFromMarchOfYear0To1970
    }

    private var daysInMonth: Int {
        switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
}

extension CalendarTime {
    /// The years 1 to 9999 in seconds since 2001. The last millisecond is left out, because it may be rounded up to the
    /// year 10000.
    private static let representable: Range<Double> = -63_113_904_000..<252_423_993_599.999

    /// Takes a date apart into its day and time in UTC. The result is nil for a date outside the years 1 to 9999.
    ///
    /// The time is rounded to microseconds, because the double in a `Date` is hardly more precise for the dates of
    /// today.
    package init?(_ date: Date) {
        let secondsSince2001 = date.timeIntervalSinceReferenceDate
        guard Self.representable.contains(secondsSince2001) else { return nil }
        let wholeSeconds = secondsSince2001.rounded(.down)
        var secondsSince1970 = Int64(wholeSeconds) + Self.secondsTo2001
        fraction = ((secondsSince2001 - wholeSeconds) * 1_000_000).rounded() / 1_000_000
        // Rounding up may reach the next second.
        if fraction == 1 {
            secondsSince1970 += 1
            fraction = 0
        }
        set(secondsSince1970: secondsSince1970)
    }

    /// Sets the day and the time to a number of seconds after 1 January 1970, or before it if the number is negative.
    private mutating func set(secondsSince1970: Int64) {
        var days = Int(secondsSince1970 / Self.secondsPerDay)
        var secondOfDay = Int(secondsSince1970 % Self.secondsPerDay)
        // Division rounds towards zero, but a day before 1970 also starts at its midnight.
        if secondOfDay < 0 {
            days -= 1
            secondOfDay += Int(Self.secondsPerDay)
        }
        set(daysSince1970: days)
        hour = secondOfDay / 3600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
    }

    /// Sets year, month and day to a number of days after 1 January 1970, or before it if the number is negative.
    ///
    /// - Precondition: The day is in the years 1 to 9999.
    private mutating func set(daysSince1970 days: Int) {
        // 400 years have 146,097 days. By the average length of a year, this is the right year or the one before it.
        let daysFromYear1To1970 = 719_162
        year = 1 + (days + daysFromYear1To1970) * 400 / 146_097
        let startOfNextYear = CalendarTime(year: year + 1, month: 1, day: 1).daysSince1970
        // `startOfNextYear` is nil for the year 9999, which is the last one.
        if let startOfNextYear, startOfNextYear <= days { year += 1 }
        month = 1
        // There is no month 13, so the loop ends in December.
        while let startOfNextMonth = CalendarTime(year: year, month: month + 1, day: 1).daysSince1970,
            startOfNextMonth <= days
        {
            month += 1
        }
        day = 1
        if let startOfMonth = daysSince1970 { day += days - startOfMonth }
    }
}
