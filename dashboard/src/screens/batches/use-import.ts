import { useCallback, useEffect, useRef, useState } from "react";
import type { Environment } from "../../environment.ts";
import { chunksOf } from "../../import/chunk-key.ts";
import { localProblems } from "../../import/entry.ts";
import {
  dropStoredImport,
  storeImport,
  readStoredImport,
  type Import,
} from "../../import/stored-import.ts";
import { guessMapping, guessUnits } from "../../import/mapping.ts";
import { readFile } from "../../import/read-file.ts";
import { sendChunk } from "../../import/send-rows.ts";
import { useSession } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { batchWords } from "./words.ts";

/** What one batch holds. */
const rows_max = 10_000;

export interface Importing {
  state: Import | null;
  /** Of an earlier visit: it goes on when the person says so. */
  kept: Import | null;
  error: unknown;
  isChecking: boolean;
  open: (file: File) => Promise<void>;
  change: (changes: Partial<Import>) => void;
  check: () => Promise<void>;
  resume: () => void;
  discard: () => Promise<void>;
}

/** An import from the file to its shipments, kept in the browser at every step. */
export function useImport(environment: Environment): Importing {
  const words = useWords(batchWords);
  const place = `${useSession().user.id} ${environment}`;
  const [state, setState] = useState<Import | null>(null);
  const [kept, setKept] = useState<Import | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isChecking, setChecking] = useState(false);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    void readStoredImport(place).then(setKept);
    return () => {
      isOpen.current = false;
    };
  }, [place]);
  const put = useCallback(
    async (next: Import) => {
      setState(next);
      await storeImport(place, next);
    },
    [place],
  );

  const open = async (file: File) => {
    setError(null);
    const parsed = await readFile(file);
    if (parsed.rows.length === 0) return setError(new Error(words.unreadable));
    if (parsed.rows.length > rows_max) return setError(new Error(words.tooMany));
    const { headers } = parsed;
    const mapping = rememberedMapping(headers) ?? guessMapping(headers);
    const units = guessUnits(headers);
    const fresh = { created: {}, problems: {}, sending: null };
    await put({ ...parsed, name: file.name, mapping, units, step: "columns", ...fresh });
  };

  /** Sends what is not a shipment yet, chunk after chunk; what an earlier visit began is sent first, as it was. */
  const run = async (begun: Import) => {
    setChecking(true);
    setError(null);
    let next = begun;
    try {
      for (const places of begun.sending ?? []) {
        next = await sendChunk(environment, next, places);
        if (!isOpen.current) return;
        await put(next);
      }
      await put({ ...next, sending: null });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setChecking(false);
    }
  };

  const check = async () => {
    if (!state) return;
    rememberMapping(state);
    const begun = state.sending ? state : begin(state, words);
    await put(begun);
    await run(begun);
  };

  return {
    state,
    kept: state ? null : kept,
    error,
    isChecking,
    open,
    check,
    change: (changes) => {
      if (state) void put({ ...state, ...changes });
    },
    resume: () => {
      setState(kept);
      if (kept?.sending) void run(kept);
    },
    discard: async () => {
      await dropStoredImport(place);
      setKept(null);
      setState(null);
    },
  };
}

/** The import with its chunks: every row that is no shipment yet and in which nothing is seen to be wrong. */
function begin(state: Import, words: { needs: string; number: string }): Import {
  const problems: Import["problems"] = {};
  const good: number[] = [];
  state.rows.forEach((row, place) => {
    if (state.created[place]) return;
    const found = localProblems(row, state.mapping, words);
    if (Object.keys(found).length > 0) problems[place] = found;
    else good.push(place);
  });
  return { ...state, step: "check", problems, sending: chunksOf(good) };
}

const mappings = "waybill.mappings";

type Remembered = Record<string, Import["mapping"]>;

function readMappings(): Remembered {
  return JSON.parse(localStorage.getItem(mappings) ?? "{}") as Remembered;
}

/** How a file with these headings was read the last time. */
function rememberedMapping(headers: readonly string[]): Import["mapping"] | null {
  return readMappings()[headers.join("\n")] ?? null;
}

function rememberMapping({ headers, mapping }: Import): void {
  const all = Object.entries(readMappings()).slice(-19);
  const next = Object.fromEntries([...all, [headers.join("\n"), mapping]]);
  localStorage.setItem(mappings, JSON.stringify(next));
}
