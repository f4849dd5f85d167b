import { expect } from 'vitest';
import { asJson, bearer, raw } from './raw.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** The most bytes of a stream: https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html */
const STREAM = 200 * 1024 * 1024;
/** The most bytes of a buffered response of Lambda: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const AT_ONCE = 6_291_556;

export interface Asked {
  method?: string;
  body?: string;
  reader?: TestUser;
  key?: string;
  /** Of the response; 200 when omitted. */
  status?: number;
}

export type LargeResponse = Record<string, never> & { collection: { records: Record<string, unknown>[] } };

/** The whole response, which must be larger than a buffered one and far below the limit of a stream. */
export async function readLarge(
  { url, ada }: Workspace,
  path: string,
  { reader = ada, key = reader.write_key, status: wanted = 200, ...options }: Asked = {},
): Promise<LargeResponse> {
  const headers = [bearer(key), ...(options.body ? [asJson] : [])];
  const { status, text, json } = await raw(url, { ...options, path, headers });
  expect(status, text.slice(0, 500)).toBe(wanted);
  const bytes = Buffer.byteLength(text);
  expect(bytes).toBeGreaterThan(AT_ONCE);
  expect(bytes).toBeLessThan(STREAM / 2);
  return json as unknown as LargeResponse;
}
