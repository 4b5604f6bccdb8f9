import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { Files } from "./files.ts";

/** Files in a folder, and links to them signed with the platform's secret. */
export function filesOnDisk(options: {
  folder: string;
  secret: string;
  public_url: () => string;
  url_valid_minutes: number;
}): Files {
  const folder = resolve(options.folder);
  const lifeSeconds = options.url_valid_minutes * 60;

  function pathOf(key: string): string {
    const path = resolve(join(folder, key));
    if (!path.startsWith(folder + sep)) throw new Error(`the key ${key} leads out of the folder`);
    return path;
  }

  function sign(path: string, expires: string): string {
    const words = `GET\n${path}\n${expires}`;
    return createHmac("sha256", options.secret).update(words).digest("base64url");
  }

  return {
    async write(key, content) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      // A reader sees the old bytes or the new ones, and a crash leaves no half of either.
      const scratch = `${path}.${randomUUID()}`;
      try {
        await writeFile(scratch, content);
        await rename(scratch, path);
      } catch (error) {
        await rm(scratch, { force: true });
        throw error;
      }
    },

    read: (key) => nullIfMissing(readFile(pathOf(key))),

    link(key, now) {
      const expires = Math.floor(now.getTime() / 1000) + lifeSeconds;
      const signature = sign(`/files/${key}`, String(expires));
      return {
        url: `${options.public_url()}/files/${key}?expires=${expires}&signature=${signature}`,
        expires_at: new Date(expires * 1000),
      };
    },

    served: {
      isSigned({ method, key, expires, signature }, now) {
        if (method !== "GET" && method !== "HEAD") return false;
        if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false;
        // As text: several spellings of base64 decode to the same bytes.
        const given = Buffer.from(signature);
        const right = Buffer.from(sign(`/files/${key}`, expires));
        return given.length === right.length && timingSafeEqual(given, right);
      },

      async open(key) {
        const file = await nullIfMissing(open(pathOf(key)));
        if (!file) return null;
        const { size } = await file.stat();
        return { bytes: size, content: file.createReadStream() };
      },
    },
  };
}

async function nullIfMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
