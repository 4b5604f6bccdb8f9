import type { FastifyReply } from "fastify";

/** USPS's answer with a file: parts whose lines end with CRLF, the file in base64 whatever its header says. */
export function inParts(
  reply: FastifyReply,
  names: { metadata: string; file: string },
  metadata: object,
  image: Buffer | null,
): FastifyReply {
  const boundary = "r6-fpGYWbdZmd9w5-850fEfX";
  const lines = [
    `--${boundary}`,
    "Content-Type: application/json",
    `Content-Disposition: form-data; name="${names.metadata}"`,
    "",
    JSON.stringify(metadata),
    ...(image
      ? [
          `--${boundary}`,
          "Content-Type: application/pdf",
          `Content-Disposition: form-data; filename="${names.file}.pdf"; name="${names.file}"`,
          "",
          image.toString("base64"),
        ]
      : []),
    `--${boundary}--`,
    "",
  ];
  return reply
    .code(200)
    .type(`multipart/form-data; boundary=${boundary}`)
    .send(Buffer.from(lines.join("\r\n")));
}
