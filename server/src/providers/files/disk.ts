import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
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

  function sign(path: string, expires: string): Buffer {
    return createHmac("sha256", options.secret).update(`GET\n${path}\n${expires}`).digest();
  }

  return {
    async write(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      // A reader sees the old bytes or the new ones, and a crash leaves no half of either.
      const scratch = `${path}.${randomUUID()}`;
      await writeFile(scratch, bytes);
      await rename(scratch, path);
    },

    async read(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    },

    signedUrl(key, now) {
      const expires = String(Math.floor(now.getTime() / 1000) + lifeSeconds);
      const signature = sign(`/files/${key}`, expires).toString("base64url");
      return `${options.public_url()}/files/${key}?expires=${expires}&signature=${signature}`;
    },

    isSigned({ method, key, expires, signature }, now) {
      if (method !== "GET" && method !== "HEAD") return false;
      if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false;
      const given = Buffer.from(signature, "base64url");
      const right = sign(`/files/${key}`, expires);
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
