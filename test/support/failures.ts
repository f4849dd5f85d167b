import { expect } from 'vitest';
import type { ApiFailure } from '#shared/api/client.ts';
import { errorText, NOT_FOUND, type RawResponse } from './raw.ts';

/** The failure of a call. */
export async function failureOf(call: Promise<{ status: number }>): Promise<ApiFailure> {
  return call.then(
    ({ status }) => expect.fail(`the call answered ${status}`),
    (error: ApiFailure) => error,
  );
}

/** Status and code of the failure, for example `404 record_not_found`. */
export async function codeOf(call: Promise<{ status: number }>): Promise<string> {
  const { status, code } = await failureOf(call);
  return `${status} ${code}`;
}

/** The field codes of a 400 `invalid_request`. */
export async function problemsOf(call: Promise<{ status: number }>): Promise<Record<string, string>> {
  const failure = await failureOf(call);
  expect([failure.status, failure.code]).toEqual([400, 'invalid_request']);
  return Object.fromEntries(Object.entries(failure.fields).map(([name, { code }]) => [name, code]));
}

/** The statuses of those of some calls at once that fail. */
export async function refusalsOf(calls: Promise<{ status: number }>[]): Promise<number[]> {
  const outcomes = await Promise.allSettled(calls);
  return outcomes.flatMap((each) => (each.status === 'rejected' ? [(each.reason as ApiFailure).status] : []));
}

/** As for a record that is not there. */
export const expectNotFound = (response: RawResponse): void =>
  expect([response.status, errorText(response)]).toEqual([404, NOT_FOUND]);
