/**
 * Work that is begun before it is needed, beside other work. When that fails first, nobody awaits this promise, and its own
 * failure would be an unhandled rejection, at which the Node runtime of Lambda ends the process
 * (https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/index.mjs): a 502 and a cold start in
 * place of the error that was answered, and a whole batch of a queue again in place of one message. Whoever awaits the promise
 * still gets the failure. A promise that is derived from it, with `then`, needs the same.
 */
export function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}
