import { PushRefused } from '#shared/domain/collaboration/notifications/push/service.ts';

/** The error for a status that is neither success nor an unknown device. `code` is a word of the service. */
export function failureOf(service: string, status: number, code = ''): Error {
  const short = /^[\w.-]{1,64}$/.test(code) ? ` ${code}` : '';
  const message = `${service}: HTTP ${status}${short}`;
  const later = status === 429 || status === 408 || status >= 500;
  return later ? new Error(message) : new PushRefused(message);
}
