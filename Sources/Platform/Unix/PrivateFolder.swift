import Glibc

/// Folders that belong to one user.
public enum PrivateFolder {
    /// Makes the folder and its parents, mode 0700, where they are missing.
    public static func makeMissing(_ path: String) throws(PathError) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EROFS, errno != EACCES {
                throw PathError(path: made, errno: errno)
            }
        }
    }

    /// Makes the folder, or makes an existing one private (0700). Throws where it belongs to another user, is a link, or
    /// stands in a folder where another user could replace it.
    public static func make(_ path: String) throws(PathError) {
        try makeMissing(path)
        let found = try look(at: path)
        guard found.st_mode & S_IFMT == S_IFDIR, found.st_uid == geteuid() else {
            throw PathError(path: path, reason: "It must be a folder of this user's, and no link.")
        }
        try checkParent(split(path).folder)
        if found.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 { throw PathError(path: path, errno: errno) }
    }

    private static func checkParent(_ path: String) throws(PathError) {
        let found = try look(at: path)
        guard found.st_uid == geteuid() || found.st_uid == 0 else {
            throw PathError(path: path, reason: "It belongs to user \(found.st_uid).")
        }
        guard found.st_mode & 0o022 == 0 || found.st_mode & S_ISVTX != 0 else {
            throw PathError(path: path, reason: "Others may write in it.")
        }
    }

    private static func look(at path: String) throws(PathError) -> stat {
        var found = stat()
        guard lstat(path, &found) == 0 else { throw PathError(path: path, errno: errno) }
        return found
    }
}
