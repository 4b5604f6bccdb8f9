import { useEffect, useState } from "react";
import { Icon } from "./icon.tsx";
import { kitWords } from "./words.ts";
import { useWords } from "../words/locale.tsx";

/** That calls wait for the server's limit, and the seconds until they go on: the wait is announced, its seconds are not. */
export function LimitWait({ until }: { until: number }) {
  const words = useWords(kitWords);
  const seconds = useSecondsUntil(until);
  return (
    <p className="flex items-center gap-1.5 text-sm text-warn">
      <Icon name="clock" className="size-4 shrink-0" />
      <span>
        <span role="status">{words.limitWait}</span>{" "}
        <span className="tabular">{words.continuesIn(seconds)}</span>
      </span>
    </p>
  );
}

function useSecondsUntil(until: number): number {
  const left = () => Math.max(0, Math.ceil((until - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
    // The function reads nothing but the moment.
  }, [until]);
  return seconds;
}
