/** How long recovery waits for one answer: what it asks is quick to answer. */
export const lookupSeconds = 8;

/** Runs a call with a deadline; when it passes, the signal fires and the call counts as unheard. */
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
  // A call that fails after its deadline has nobody left to tell.
  calling.catch(() => undefined);
  try {
    return await Promise.race([calling, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
