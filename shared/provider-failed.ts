import { ApiError } from './errors.ts';
import { TryLater } from './queues/try-later.ts';

/** 502 for a server or a provider that does not respond as it should; it says when to come back where they do. */
export const providerFailed = (cause: unknown): ApiError =>
  new ApiError('provider_failed', {
    cause,
    ...(cause instanceof TryLater ? { headers: { 'Retry-After': String(Math.max(1, cause.seconds)) } } : {}),
  });
