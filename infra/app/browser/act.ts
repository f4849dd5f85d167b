import { Refusal, Unreachable } from './api.ts';
import { say, showProblem } from './messages.ts';

/** Runs what a user asked for or a refresh, and explains what fails. */

let offline = false;
let expire: (reason: string) => unknown = () => {};

/** Called when the key is not accepted any more. */
export function onExpired(take: (reason: string) => unknown): void {
  expire = take;
}

const EXPIRED =
  'The key was not accepted. It may be mistyped or revoked, or the session has ended (sessions last 15 minutes): sign in again.';
const OFFLINE =
  'The service cannot be reached. What you see may be old. The page tries again every 30 seconds, and when the connection is back.';
const MAY_NOT: Record<string, string> = {
  api_key_insufficient: 'This key may only read. Sign in with a key that may write to act.',
};

function textFor(error: unknown): string {
  if (error instanceof Unreachable) return OFFLINE;
  if (!(error instanceof Refusal)) return 'Something went wrong in this page.';
  return MAY_NOT[error.code] ?? error.message;
}

function explain(error: unknown): void {
  offline = error instanceof Unreachable;
  if (error instanceof Refusal && error.status === 401) expire(EXPIRED);
  else showProblem(textFor(error));
  if (!(error instanceof Refusal || error instanceof Unreachable)) console.error(error);
}

/** Undefined when it failed, which the user is told then. */
export async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    const result = await work();
    if (offline) {
      offline = false;
      showProblem('');
    }
    return result;
  } catch (error) {
    explain(error);
    return undefined;
  }
}

/** What a user does: `done` is said when it is done. True then. */
export async function act(done: string, work: () => Promise<unknown>): Promise<boolean> {
  showProblem('');
  const result = await attempt(async () => {
    await work();
    return true;
  });
  if (result) say(done);
  return result === true;
}
