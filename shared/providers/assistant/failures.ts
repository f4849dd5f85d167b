import { ModelFailed, type ModelFailure } from '#shared/domain/assistant/answering/failure.ts';

/** HTTP errors as errors of the port. */

/** Seconds of a `Retry-After` header, a number or a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(header: string | null | undefined, now: number): number | undefined {
  if (!header) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header);
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.max(0, Math.ceil((moment - now) / 1_000));
}

/** Temporary statuses below 500: too slow, too early, a model that fails (Bedrock). */
const TRANSIENT = new Set([408, 424, 425]);

function reasonOf(status: number): ModelFailure {
  if (status === 429) return 'throttled';
  return status >= 500 || TRANSIENT.has(status) ? 'unavailable' : 'misconfigured';
}

interface HttpFailure {
  status: number;
  /** Codes of the provider, for the log. */
  codes?: (string | number | null | undefined)[];
  retry_after?: string | null | undefined;
  cause?: unknown;
}

export function httpFailure(
  model: string,
  { status, codes = [], retry_after, cause }: HttpFailure,
): ModelFailed {
  // Nothing longer: it could contain parts of the conversation.
  const short = codes.filter((code) => code && /^[\w.[\]-]{1,64}$/.test(String(code)));
  const seconds = readRetryAfter(retry_after, Date.now());
  return new ModelFailed(reasonOf(status), [`${model}: HTTP ${status}`, ...short].join(' '), {
    ...(cause === undefined ? {} : { cause }),
    ...(seconds === undefined ? {} : { retry_after: seconds }),
  });
}

/** Runs `ask` until the time is up; `explain` turns its errors into `ModelFailed`. */
export async function within<T>(
  timeout_ms: number,
  model: string,
  ask: (signal: AbortSignal) => Promise<T>,
  explain: (error: unknown) => ModelFailed,
): Promise<T> {
  const signal = AbortSignal.timeout(Math.max(0, Math.floor(timeout_ms)));
  try {
    return await ask(signal);
  } catch (cause) {
    // Checked first, because an aborted connection looks like a broken one.
    if (signal.aborted)
      throw new ModelFailed('timed_out', `${model}: no answer within ${timeout_ms} ms`, { cause });
    throw cause instanceof ModelFailed ? cause : explain(cause);
  }
}
