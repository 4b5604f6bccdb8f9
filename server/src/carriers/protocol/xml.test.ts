import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  all,
  first,
  optional,
  readXml,
  textAt,
  within,
  writeXml,
  xml,
  XmlError,
  type XmlElement,
} from "./xml.ts";

const read = (text: string) => readXml(Buffer.from(text));

const attributes = (count: number) =>
  Array.from({ length: count }, (_, index) => ` b${index}='c'`).join("");

describe("reading", () => {
  test("leading zeros and long numbers stay text", () => {
    const root = read("<a><pin>0012</pin><n>9400111899223197428490</n><e>1e5</e><b>true</b></a>");
    expect(["pin", "n", "e", "b"].map((name) => textAt(root, name))).toEqual([
      "0012",
      "9400111899223197428490",
      "1e5",
      "true",
    ]);
  });

  test("a list has none, one or many, by name and path", () => {
    expect(all(read("<a/>"), "b")).toEqual([]);
    expect(all(read("<a><b>1</b></a>"), "b").map(({ text }) => text)).toEqual(["1"]);
    const many = read("<a><l><b>1</b></l><l><b>2</b><c/><b>3</b></l></a>");
    expect(all(many, "l/b").map(({ text }) => text)).toEqual(["1", "2", "3"]);
    expect(textAt(many, "l/b")).toBe("1");
    expect(textAt(many, "l/c")).toBeNull();
    expect(first(many, "l/x/y")).toBeUndefined();
  });

  test("namespaces' prefixes do not matter, and a wrapped element is found", () => {
    const text = '<s:E xmlns:s="urn:s"><s:Body><t:R xmlns:t="urn:t" a="1"/></s:Body></s:E>';
    expect(within(read(text), "R")?.attributes.a).toBe("1");
    expect(within(read(text), "Body")?.children).toHaveLength(1);
    expect(within(read(text), "X")).toBeUndefined();
  });

  test("the five entities, numbers and CDATA are text, and any other entity stays as it is", () => {
    const text = "<a b='&quot;'>&lt;&amp;&gt;&apos;&#233;&#x1F4E6; &nbsp; <![CDATA[<x>&amp;]]></a>";
    expect(read(text)).toMatchObject({ text: "<&>'é📦 &nbsp; <x>&amp;", attributes: { b: '"' } });
    expect(read("<a>&amp;lt;</a>").text).toBe("&lt;");
  });

  test("characters that XML cannot contain become U+FFFD, and references to them stay as they are", () => {
    expect(read("<a>x\0y\u0001z</a>").text).toBe("x\ufffdy\ufffdz");
    expect(read("<a>&#0;x&#xD800;y&#99999999;</a>").text).toBe("&#0;x&#xD800;y&#99999999;");
  });

  test("attributes are named without prefixes, and namespaces are none", () => {
    const root = read('<a xmlns="urn:a" xmlns:i="urn:i" i:nil="true" xmlnsish="1"/>');
    expect(root.attributes).toEqual({ nil: "true", xmlnsish: "1" });
  });

  test("a document type is refused wherever it stands, and its words in a text are text", () => {
    expect(() => read('<!DOCTYPE a SYSTEM "urn:a"><a/>')).toThrow(XmlError);
    expect(() => read("<!doctype html><a/>")).toThrow(XmlError);
    expect(read("<a><![CDATA[<!DOCTYPE html>]]></a>").text).toBe("<!DOCTYPE html>");
  });

  test.each([
    ["a byte order mark", Buffer.from("\ufeff<a>é</a>")],
    ["UTF-16, little endian", Buffer.from('\ufeff<?xml version="1.0"?><a>é</a>', "utf16le")],
    ["UTF-16, big endian", Buffer.from("\ufeff<a>é</a>", "utf16le").swap16()],
    ["ISO-8859-1", Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', "latin1")],
    [
      "UTF-8 that is Latin-1",
      Buffer.from("<?xml version='1.0' encoding='utf-8'?><a>é</a>", "latin1"),
    ],
    ["Latin-1 without a declaration", Buffer.from("<a>é</a>", "latin1")],
    [
      "a charset that no one knows",
      Buffer.from("<?xml version='1.0' encoding='x-no'?><a>\xe9</a>", "latin1"),
    ],
    ["UTF-16 that is UTF-8", Buffer.from("<?xml version='1.0' encoding='utf-16'?><a>é</a>")],
  ])("%s is decoded", (_name, bytes) => {
    expect(readXml(bytes).text).toBe("é");
  });

  test.each([
    ["nothing", ""],
    ["text", "It works!"],
    ["JSON", '{"a": 1}'],
    ["a truncated document", "<a><b>1</b>"],
    ["a tag that breaks off", "<a><b"],
    ["mismatched tags", "<a><b></a></b>"],
    ["two roots", "<a/><b/>"],
    ["a web page", "<!DOCTYPE html><html><body></body></html>"],
    ["only a declaration", '<?xml version="1.0"?>'],
    ["only a comment", "<!-- a -->"],
    ["depth", "<a>".repeat(100_000) + "</a>".repeat(100_000)],
    ["many elements", `<a>${"<b/>".repeat(200_001)}</a>`],
    ["many attributes of an element", `<a${attributes(1_001)}/>`],
    ["one attribute many times", `<a${" b='c'".repeat(1_001)}/>`],
    ["many attributes", `<a>${`<b${attributes(900)}/>`.repeat(230)}</a>`],
    ["many unknown references", `<a>${"&b;".repeat(600)}<b c="${"&#0;".repeat(600)}"/></a>`],
    ["size", `<a>${" ".repeat(16 * 1024 * 1024)}</a>`],
  ])("%s is no document", (_name, text) => {
    expect(() => read(text)).toThrow(XmlError);
  });

  test("as many attributes as a schema may have are read", () => {
    const root = read(`<a${attributes(1_000)}><b${attributes(1_000)}/></a>`);
    expect(Object.keys(root.attributes)).toHaveLength(1_000);
  });

  test("nested entities are refused unexpanded", () => {
    const entity = (n: number) => `<!ENTITY e${n} "${`&e${n - 1};`.repeat(10)}">`;
    const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "ha">${Array.from({ length: 30 }, (_, n) => entity(n + 1)).join("")}]><a>&e30;</a>`;
    const before = process.memoryUsage().heapUsed;
    expect(() => read(bomb)).toThrow(XmlError);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * 1024 * 1024);
  });

  test("any bytes are a document or an XmlError", () => {
    const document = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc
        .array(
          fc.constantFrom(
            "<a>",
            "</a>",
            "<b/>",
            "<",
            ">",
            "&",
            "&#",
            ";",
            "<![CDATA[",
            "]]>",
            "<!--",
            "-->",
            "<?",
            "?>",
            " x='",
            "'",
            "__proto__",
            "<__proto__>",
            "<constructor>",
            "<!DOCTYPE",
            "\0",
            "é",
          ),
          { maxLength: 20 },
        )
        .map((parts) => Buffer.from(parts.join(""))),
    );
    fc.assert(
      fc.property(document, (bytes) => {
        try {
          expect(typeof readXml(bytes).name).toBe("string");
        } catch (error) {
          expect(error).toBeInstanceOf(XmlError);
        }
      }),
    );
  });
});

describe("writing", () => {
  test("elements keep their order, and absent ones are left out", () => {
    const root = xml("a", [xml("b", 1), optional("c", null), optional("d", ""), xml("e", false)], {
      xmlns: "urn:x",
    });
    expect(writeXml(root)).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><a xmlns="urn:x"><b>1</b><e>false</e></a>',
    );
    expect(writeXml(xml("a", []))).toContain("<a/>");
  });

  test("what is written is read again, whatever its text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (text, attribute) => {
        const root: XmlElement = read(writeXml(xml("a", [xml("b", text)], { c: attribute })));
        // What XML cannot contain is a space, and line ends are read as line feeds.
        const readable = (value: string) =>
          value
            .toWellFormed()
            // eslint-disable-next-line no-control-regex -- control characters are what it is about
            .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, " ")
            .replace(/\r\n?/g, "\n");
        expect(first(root, "b")?.text).toBe(readable(text).trim());
      }),
    );
  });
});
