import { readFileSync } from "node:fs";
import { XmlDocument, XmlValidateError, XsdValidator } from "libxml2-wasm";
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs";

/** A carrier's XML schema. */
export interface XmlSchema {
  /** What is wrong with a document by it; empty for a valid one. */
  findings(document: string): string[];
}

/** Includes and redefinitions are read from beside the file. */
export function xmlSchemaAt(path: string): XmlSchema {
  return xmlSchema(readFileSync(path), path);
}

export function xmlSchema(bytes: Buffer | string, url?: string): XmlSchema {
  xmlRegisterFsInputProviders();
  const document = XmlDocument.fromBuffer(Buffer.from(bytes), url === undefined ? {} : { url });
  const validator = XsdValidator.fromDoc(document);
  return {
    findings(text) {
      const instance = XmlDocument.fromString(text);
      try {
        validator.validate(instance);
        return [];
      } catch (error) {
        if (!(error instanceof XmlValidateError)) throw error;
        return error.details.map(({ message }) => message.trim());
      } finally {
        instance.dispose();
      }
    },
  };
}
