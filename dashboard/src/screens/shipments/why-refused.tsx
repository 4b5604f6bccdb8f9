import { fieldsOf, type Problem } from "../../kit/problem.ts";
import { Reason } from "../../kit/reason.tsx";

/** Why a call for one of many was refused, and the number by which support finds it. */
export function WhyRefused({ problem }: { problem: Problem }) {
  const sentences = Object.values(fieldsOf(problem)).flat();
  return (
    <>
      {sentences.length === 0 ? (
        <Reason problem={problem} />
      ) : (
        <span lang="en">{sentences.join(" ")}</span>
      )}
      {problem.request_id && (
        <code className="block font-mono text-xs break-all text-faint">{problem.request_id}</code>
      )}
    </>
  );
}
