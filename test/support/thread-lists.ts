import { expect } from 'vitest';
import { listAllThreads } from './mail.ts';
import type { ApiClient } from './workspace.ts';

export type ThreadQuery = Record<string, string | boolean>;

/** The subjects of a list in order. Counting with the same filters must return their number. */
export async function subjectsOf(api: ApiClient, query: ThreadQuery = {}): Promise<(string | null)[]> {
  const threads = await listAllThreads(api, query);
  const { body } = await api.countThreads({ query });
  expect(body.count).toEqual({ total: threads.length, exact: true, capped: false, cap: null });
  return threads.map((thread) => thread.subject);
}

/** The user's thread of that subject. */
export async function threadOf(api: ApiClient, subject: string) {
  const found = (await listAllThreads(api)).filter((thread) => thread.subject === subject);
  expect(found).toHaveLength(1);
  return found[0]!;
}
