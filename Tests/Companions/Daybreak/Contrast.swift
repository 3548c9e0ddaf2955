import Foundation
import Testing

/// The contrast of what a browser has drawn, by WCAG 2.2: text 1.4.3, bars and dots 1.4.11. Another page in the browser
/// measures the picture.
struct Contrast: Decodable {
    /// A connected piece of the picture: a letter, a bar, a dot.
    struct Piece: Decodable, Equatable {
        let (x, y, width, height): (Int, Int, Int, Int)
        let contrast: Double

        private enum CodingKeys: String, CodingKey { case x, y, width, height, contrast }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            func number(_ key: CodingKeys) throws -> Int { try values.decode(Int.self, forKey: key) }
            (x, y, width, height) = (try number(.x), try number(.y), try number(.width), try number(.height))
            contrast = try values.decode(Double.self, forKey: .contrast)
        }

        static func == (one: Piece, other: Piece) -> Bool { (one.x, one.y) == (other.x, other.y) }
    }

    /// The paper's colour: the most frequent one.
    let paper: String
    /// The pieces that are thicker than a line.
    let pieces: Int
    /// Letters of less than 4.5 : 1, and pieces as small as they that fill a rectangle of less than 3 : 1; places in pixels of the
    /// page.
    let weak: [Piece]
    /// The contrast of each colour that fills an area, such as a bar.
    let areas: [String: Double]

    /// Takes a picture of the page, and measures it.
    static func measure(_ file: String, _ scheme: String, in folder: URL) throws -> Contrast {
        let picture = folder.appending(path: "\(UUID()).png")
        let taken = try Browser.run(
            "--screenshot=\(picture.path)", "--window-size=900,4200", "--force-device-scale-factor=2",
            "--hide-scrollbars", Browser.prefers(scheme), "file://\(folder.path)/\(file)", home: folder)
        try #require(taken.status == 0)
        let page = folder.appending(path: "\(UUID()).html")
        let source = try Data(contentsOf: picture).base64EncodedString()
        // A picture inside the page, because the browser keeps the pixels of other files from a page.
        try "<img id=\"i\" src=\"data:image/png;base64,\(source)\"><script>\(script)</script>"
            .write(to: page, atomically: true, encoding: .utf8)
        let said = try Browser.run("--dump-dom", "file://\(page.path)", home: folder).output
        let found = try #require(said.firstMatch(of: #/MEASURED(\{.*\})END/#), "\(said.suffix(200))")
        return try JSONDecoder().decode(Contrast.self, from: Data(String(found.1).utf8))
    }

    /// Two pixels of the picture are one of the page.
    private static let script = """
        const image = document.getElementById("i");
        function light(c) {
          const [r, g, b] = [c >> 16 & 255, c >> 8 & 255, c & 255].map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        }
        function contrast(one, other) {
          const [a, b] = [light(one), light(other)];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        }
        function hex(c) { return "#" + c.toString(16).padStart(6, "0"); }
        function measure() {
          const canvas = document.createElement("canvas");
          const [w, h] = [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const data = context.getImageData(0, 0, w, h).data, all = new Uint32Array(w * h), counts = new Map();
          for (let i = 0; i < all.length; i++) {
            const c = data[4 * i] << 16 | data[4 * i + 1] << 8 | data[4 * i + 2];
            all[i] = c;
            counts.set(c, (counts.get(c) || 0) + 1);
          }
          const paper = [...counts].reduce((one, other) => other[1] > one[1] ? other : one)[0];
          const against = new Map([...counts.keys()].map(c => [c, contrast(c, paper)]));
          const seen = new Uint8Array(w * h), weak = [];
          let pieces = 0;
          for (let start = 0; start < all.length; start++) {
            if (seen[start] || against.get(all[start]) < 1.1) continue;
            let [left, right, top, bottom, most, size] = [w, 0, h, 0, 1, 0];
            const open = [start];
            seen[start] = 1;
            while (open.length) {
              const i = open.pop(), x = i % w, y = (i - x) / w;
              left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
              most = Math.max(most, against.get(all[i])); size++;
              for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) {
                const j = i + dy * w + dx;
                if (x + dx < 0 || x + dx >= w || j < 0 || j >= all.length || seen[j] || against.get(all[j]) < 1.1) continue;
                seen[j] = 1;
                open.push(j);
              }
            }
            const [width, height] = [(right - left + 1) / 2, (bottom - top + 1) / 2];
            if (Math.min(width, height) <= 3) continue;
            pieces++;
            const isBar = size >= 0.9 * 4 * width * height;
            if (Math.max(width, height) <= 40 && most < (isBar ? 3 : 4.5))
              weak.push({x: left >> 1, y: top >> 1, width: Math.ceil(width), height: Math.ceil(height), contrast: most});
          }
          const areas = new Map();
          for (let y = 4; y < h - 4; y++) for (let x = 4; x < w - 4; x++) {
            const c = all[y * w + x];
            if (c === paper) continue;
            let same = true;
            for (let d = -4; d <= 4 && same; d++) same = all[(y + d) * w + x] === c && all[y * w + x + d] === c
              && all[(y + d) * w + x + d] === c && all[(y + d) * w + x - d] === c;
            if (same) areas.set(c, (areas.get(c) || 0) + 1);
          }
          const filled = Object.fromEntries([...areas].filter(a => a[1] >= 20).map(a => [hex(a[0]), against.get(a[0])]));
          return {paper: hex(paper), pieces, weak, areas: filled};
        }
        addEventListener("load", () => { document.body.textContent = "MEASURED" + JSON.stringify(measure()) + "END"; });
        """
}
