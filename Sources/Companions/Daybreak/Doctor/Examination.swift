import DaybreakInterfaces

/// What the facts mean.
struct Examination {
    let facts: Facts

    /// Less than that is soon used up by others; the history itself grows by some kilobytes a day.
    static let scarce: UInt64 = 100 << 20

    /// One for each check, in their order.
    var findings: [Finding] {
        [
            daemon, version, unit, lingering, journal, folders, disk, history, configuration, schedule, clock, zone,
            notifications, nextUnlock,
        ]
    }

    private typealias Says = Wording.Doctor

    private var daemon: Finding {
        guard let why = facts.silence else { return .good(.daemon, Says.answers(at: facts.socket)) }
        guard facts.others.isEmpty else { return .wrong(.daemon, why, do: Says.askOthers(facts.others)) }
        return .wrong(.daemon, why, do: Says.startIt(isManaged: facts.unit != nil, of: facts.served))
    }

    private var version: Finding {
        guard facts.silence == nil else { return .unknown(.version, Says.asksDaemon) }
        guard facts.version != Product.version else { return .good(.version, Says.version(Product.version)) }
        return .wrong(.version, Says.versions(facts.version, Product.version), do: Says.restart(facts.served))
    }

    private var unit: Finding {
        guard let unit = facts.unit else { return .unknown(.unit, Says.noManager) }
        let name = Says.unit(facts.served)
        if unit.load != "loaded" { return .wrong(.unit, Says.notInstalled(name), do: Says.install(facts.served)) }
        if unit.file != "enabled" { return .wrong(.unit, Says.notEnabled(name), do: Says.enable(facts.served)) }
        if unit.active != "active" {
            return .wrong(.unit, Says.inactive(name, unit.active), do: Says.lookAtUnit(facts.served))
        }
        return .good(.unit, Says.unitGood(name))
    }

    private var lingering: Finding {
        guard facts.served == nil else { return .good(.lingering, Says.needsNoLogin) }
        guard let lingers = facts.lingers else { return .unknown(.lingering, Says.noLogins) }
        return lingers
            ? .good(.lingering, Says.lingers) : .wrong(.lingering, Says.lingersNot, do: Says.linger)
    }

    private var journal: Finding {
        guard let journal = facts.journal else { return .unknown(.journal, Says.noJournal) }
        if !journal.isReadable { return .wrong(.journal, Says.journalUnreadable, do: Says.readReminders) }
        return switch journal.storage {
        case .kept: .good(.journal, Says.journalGood)
        case .noFolder: .wrong(.journal, Says.journalForgets, do: Says.keepJournal)
        case .volatile: .wrong(.journal, Says.journalVolatile, do: Says.setJournal)
        }
    }

    private var folders: Finding {
        guard !facts.places.isEmpty else { return .unknown(.folders, Says.noFolders) }
        for place in facts.places {
            if let why = place.why { return .wrong(.folders, Says.hidden(place.path, why), do: Says.own(place.path)) }
            if !place.isOurs { return .wrong(.folders, Says.notYours(place.path), do: Says.own(place.path)) }
            if place.mode & place.closed != 0 {
                return .wrong(.folders, Says.openToOthers(place.path), do: Says.close(place.path))
            }
        }
        return .good(.folders, Says.foldersGood)
    }

    private var disk: Finding {
        guard let free = facts.free else { return .unknown(.disk, Says.diskUnknown) }
        guard free < Self.scarce else { return .good(.disk, Says.diskGood(free)) }
        return .wrong(.disk, Says.diskFull(free), do: Says.makeRoom)
    }

    private var history: Finding {
        let verified = facts.verified.flatMap { $0.isEmpty ? nil : $0 }
        if let fault = facts.diagnosis?.history ?? verified {
            return .wrong(.history, Wording.sentence(fault), do: Says.keepHistory(facts.served))
        }
        guard facts.diagnosis == nil, facts.verified == nil else { return .good(.history, Says.historyGood) }
        return .unknown(.history, facts.silence == nil ? Says.tooOld : Says.asksDaemon)
    }

    private var configuration: Finding {
        if let link = facts.settingsLink { return wrong(.configuration, link, do: Says.mendSettingsLink) }
        guard let fault = facts.diagnosis?.configuration else { return unasked(.configuration, Says.configurationGood) }
        return .wrong(.configuration, Wording.sentence(fault), do: Says.mendConfiguration)
    }

    private var schedule: Finding {
        if let link = facts.scheduleLink { return wrong(.schedule, link, do: Says.mendSchedule) }
        guard let fault = facts.diagnosis?.schedule else { return unasked(.schedule, Says.scheduleGood) }
        return .wrong(.schedule, Wording.sentence(fault), do: Says.mendSchedule)
    }

    private func wrong(_ check: Finding.Check, _ link: Facts.Link, do mend: String) -> Finding {
        guard let folder = link.folder else { return .wrong(check, Says.leadsNowhere(link.path), do: mend) }
        return .wrong(check, Says.isHidden(link.path, folder), do: Says.show(folder, to: facts.served))
    }

    /// Where the daemon does not answer, its program has looked at both.
    private func unasked(_ check: Finding.Check, _ good: String) -> Finding {
        guard facts.diagnosis == nil else { return .good(check, good) }
        guard let checked = facts.checked else { return .unknown(check, Says.asksDaemon) }
        return checked.isEmpty ? .good(check, good) : .wrong(check, Wording.sentence(checked), do: Says.mendBoth)
    }

    private var clock: Finding {
        guard let isSynchronised = facts.isClockSynchronised else { return .unknown(.clock, Says.clockUnknown) }
        return isSynchronised ? .good(.clock, Says.clockGood) : .wrong(.clock, Says.clockLoose, do: Says.synchronise)
    }

    private var zone: Finding {
        guard let zone = facts.zone else { return .wrong(.zone, Says.noZone, do: Says.setZone) }
        if let daemons = facts.status?.timeZone, daemons != zone.name {
            return .wrong(.zone, Says.zones(daemons, zone.name), do: Says.restart(facts.served))
        }
        return .good(.zone, zone.isNamed ? Says.zone(zone.name) : Says.zoneOfCopy(zone.name))
    }

    private var notifications: Finding {
        switch facts.desktop {
        case .none: .unknown(.notifications, facts.journal == nil ? Says.noDesktopNorJournal : Says.noDesktop)
        case .unknown: .unknown(.notifications, Says.desktopUnknown)
        case .shows: .good(.notifications, Says.notifies)
        case .showsNot: .wrong(.notifications, Says.notifiesNot, do: Says.notificationService)
        }
    }

    private var nextUnlock: Finding {
        guard let status = facts.status else { return .unknown(.nextUnlock, Says.asksDaemon) }
        if let next = status.nextUnlock {
            return .good(.nextUnlock, Says.next(Wording.time(next, today: status.today)))
        }
        guard status.eligible == nil, status.flow == nil else { return .good(.nextUnlock, Says.lastOpen) }
        return .wrong(.nextUnlock, Says.nothingToCome, do: Says.askForTasks)
    }
}
