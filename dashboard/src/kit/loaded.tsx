import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";
import { Skeleton } from "./skeleton.tsx";

interface Loadable<Data> {
  data: Data | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface Props<Data> {
  query: Loadable<Data>;
  children: (data: Data) => ReactNode;
  lines?: number;
}

/**
 * What a query brings: lines while it is on its way, the failure with a retry, or the data. Data that is there
 * stays in sight when a later read fails.
 */
export function Loaded<Data>({ query, children, lines = 6 }: Props<Data>) {
  const failure = query.error ? (
    <div className="px-4 py-2">
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    </div>
  ) : null;
  if (query.data === undefined) return failure ?? <Skeleton lines={lines} />;
  return (
    <>
      {failure}
      {children(query.data)}
    </>
  );
}
