/** How long recovery waits for one response: lookups and reversals are quick to answer. */
export const lookupSeconds = 8;

/** Runs a call with a deadline; when it passes, the signal fires and the call's outcome is unknown. */
export async function withDeadline<T>(
  seconds: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const late = new Error(`no answer within ${seconds} s`);
      controller.abort(late);
      reject(late);
    }, seconds * 1000);
  });
  const calling = call(controller.signal);
  // After its deadline no caller handles the call's error.
  calling.catch(() => undefined);
  try {
    return await Promise.race([calling, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
