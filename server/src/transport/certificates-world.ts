import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A certificate that signs itself, with its key, both as PEM: valid from a day ago until `until`. */
export function certificateFor(
  names: string[],
  until = new Date(Date.now() + 86_400_000),
): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = der(0x30, oid("2a8648ce3d040302"));
  const commonName = der(0x30, oid("550403"), der(0x0c, Buffer.from(names[0] ?? "")));
  const name = der(0x30, der(0x31, commonName));
  const from = new Date(Math.min(Date.now(), until.getTime()) - 86_400_000);
  const altNames = der(0x30, ...names.map((each) => der(0x82, Buffer.from(each))));
  const isAuthority = der(0x30, der(0x01, Buffer.from([0xff])));
  const signed = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    name,
    der(0x30, time(from), time(until)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      der(
        0x30,
        der(0x30, oid("551d11"), der(0x04, altNames)),
        der(0x30, oid("551d13"), der(0x04, isAuthority)),
      ),
    ),
  );
  const signature = sign("sha256", signed, privateKey);
  const cert = der(0x30, signed, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** A value as DER (X.690): its tag, its length, its content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

/** Two digits of the year, as X.509 writes every year before 2050. */
function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}
