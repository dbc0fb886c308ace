/// A day and a time of the day, as a calendar and a clock show them at some distance from UTC.
///
/// The calendar is Foundation's: Gregorian from 15 October 1582, Julian before; years 1 to 9999. Its arithmetic is done here because
/// setting up Foundation's calendar and time zones takes longer than reading thousands of dates.
package struct CalendarTime {
    package var year = 1970
    package var month = 1
    package var day = 1
    package var hour = 0
    package var minute = 0
    /// 60 is a leap second.
    package var second = 0
    /// The part of a second, 0 to 1.
    var fraction = 0.0
    /// How far the clock is ahead of UTC.
    var offsetSeconds = 0

    package init(year: Int, month: Int, day: Int) { (self.year, self.month, self.day) = (year, month, day) }

    /// The moment that is shown; nil if a field is out of its range, or the day does not exist.
    package var date: Date? {
        guard 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second, let days = daysSince1970 else { return nil }
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offsetSeconds
        // `Date` counts from 2001: counting from another year first would cost precision.
        return Date(timeIntervalSinceReferenceDate: Double(seconds - Self.secondsTo2001) + fraction)
    }

    private static let secondsTo2001 = 978_307_200
    /// 15 October 1582 in days since 1970, the first one of the Gregorian calendar.
    private static let firstGregorianDay = -141_427
    /// From 1 March of a year 0 to 1970, in days.
    private static let gregorianDaysTo1970 = 719_468
    private static let julianDaysTo1970 = 719_470

    /// Nil if there is no such day.
    package var daysSince1970: Int? {
        guard 1...9999 ~= year, 1...12 ~= month, 1...daysInMonth ~= day else { return nil }
        // Years are counted from March, so that a leap day is the last of its year.
        let years = month <= 2 ? year - 1 : year
        let monthsSinceMarch = month <= 2 ? month + 9 : month - 3
        let days = years * 365 + years / 4 + (153 * monthsSinceMarch + 2) / 5 + day - 1
        let gregorian = days - years / 100 + years / 400 - Self.gregorianDaysTo1970
        if gregorian >= Self.firstGregorianDay { return gregorian }
        let julian = days - Self.julianDaysTo1970
        // In 1582, ten days were left out.
        return julian < Self.firstGregorianDay ? julian : nil
    }

    private var daysInMonth: Int {
        switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private var isLeapYear: Bool { year % 4 == 0 && (year < 1582 || year % 100 != 0 || year % 400 == 0) }
}

extension CalendarTime {
    /// What calendar and clock show in UTC, rounded to microseconds, as today's dates, which are doubles, tell no less apart; nil for a date
    /// outside the years 1 to 9999.
    package init?(_ date: Date) {
        let time = date.timeIntervalSinceReferenceDate
        guard Self.representable.contains(time) else { return nil }
        let whole = time.rounded(.down)
        fraction = ((time - whole) * 1_000_000).rounded() / 1_000_000
        var seconds = Int(whole) + Self.secondsTo2001
        if fraction == 1 {
            seconds += 1
            fraction = 0
        }
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let secondOfDay = seconds - days * 86_400
        (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
        // By the Julian calendar, whose years are the longer ones: not too late, and hardly too early.
        year = 1 + (days + 719_164) * 4 / 1461
        while let next = CalendarTime(year: year + 1, month: 1, day: 1).daysSince1970, next <= days { year += 1 }
        while let next = CalendarTime(year: year, month: month + 1, day: 1).daysSince1970, next <= days { month += 1 }
        day += days - (CalendarTime(year: year, month: month, day: 1).daysSince1970 ?? days)
        if year == 1582, month == 10, day > 4 { day += 10 }
    }

    /// The years 1 to 9999 in seconds since 2001, but for the last millisecond, which may be rounded up to the year 10000.
    private static let representable: Range<Double> = -63_114_076_800..<252_423_993_599.999
}
