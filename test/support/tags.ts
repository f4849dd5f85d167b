import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { type TaggableType, taggableTypes } from '#shared/domain/collaboration/records/types.ts';
import { type CleanUpJob, cleanUpTag } from '#shared/domain/collaboration/tags/clean-up.ts';
import { countName, isLiveTag, type Tag } from '#shared/domain/collaboration/tags/tag.ts';
import { rests, type Tagging } from '#shared/domain/collaboration/tags/tagging.ts';
import type { TaggableRef } from '#shared/domain/collaboration/tags/taggings.ts';
import { runReindexing } from '#shared/domain/mail/threads/reindex.ts';
import { foldName } from '#shared/folding.ts';
import { newId } from '#shared/ids.ts';
import { keys, lists } from '#shared/table/keys.ts';
import type { AnyItem, Table, Write } from '#shared/table/table.ts';
import { openJobs } from './jobs.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** The stored relations of tags, taggings and records, read without the code under test. */

/** The open jobs of clean-ups of deleted tags. */
export async function openCleanUps(workspace: Workspace): Promise<CleanUpJob[]> {
  const jobs = await openJobs(workspace.table, 'clean-up-tag');
  return jobs.map(({ id, body }) => ({ job_id: id, ...body }) as CleanUpJob);
}

/** Runs the open jobs that bring lists of threads up to their tags, as after the sweep. */
export async function runListJobs(workspace: Workspace): Promise<void> {
  for (const { id } of await openJobs(workspace.table, 'index-threads'))
    await runReindexing(workspace.ctx, id, () => false);
}

export function runCleanUp({ ctx }: Workspace, job: CleanUpJob): Promise<'done' | 'more'> {
  return cleanUpTag(ctx, job, () => false);
}

export async function runCleanUps(workspace: Workspace): Promise<void> {
  for (const job of await openCleanUps(workspace)) await runCleanUp(workspace, job);
}

/** Deletes a tag, with its clean-up, and what DynamoDB does a day later: nothing is left of the tag. */
export async function replaceForGood(
  workspace: Workspace,
  { api, user }: TestUser,
  id: string,
  replacement_tag_id: string | null,
): Promise<void> {
  await api.deleteTag({ params: { id }, body: { replacement_tag_id } });
  await runCleanUps(workspace);
  await workspace.table.delete(keys.tag(user.account_id, id));
}

type Filter = Pick<ScanCommandInput, 'FilterExpression' | 'ExpressionAttributeValues'>;

export async function allItems(table: Table, filter: Filter = {}): Promise<AnyItem[]> {
  const found: AnyItem[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const page: ScanCommandOutput = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, ExclusiveStartKey: after, ...filter }),
    );
    found.push(...((page.Items ?? []) as AnyItem[]));
    after = page.LastEvaluatedKey;
  } while (after);
  return found;
}

interface Stored {
  tags: Tag[];
  taggings: Tagging[];
  /** The `tag_ids` of each record that carries any, by its partition. */
  carried: Record<string, string[]>;
  /** The tag that has each name. */
  locks: Record<string, string>;
}

export async function readStored(table: Table, account_id: string): Promise<Stored> {
  const account = keys.account(account_id).PK;
  const items = await allItems(table, {
    // The projection leaves out everything else: comments may be large.
    FilterExpression: 'PK = :account OR (account_id = :id AND (SK = :meta OR begins_with(SK, :tagging)))',
    ExpressionAttributeValues: {
      ':account': account,
      ':id': account_id,
      ':meta': 'META',
      ':tagging': 'TAGGING#',
    },
  });
  const ofAccount = items.filter((item) => item.PK === account);
  const records = items.filter(
    (item) => item.PK.startsWith('RECORD#') && item.SK === 'META' && item.account_id === account_id,
  );
  return {
    tags: ofAccount.filter((item) => item.SK.startsWith('TAG#')) as Tag[],
    taggings: items.filter(
      (item) => item.SK.startsWith('TAGGING#') && item.account_id === account_id,
    ) as Tagging[],
    carried: Object.fromEntries(
      records
        .filter((record) => record.tag_ids)
        .map((record) => [record.PK, [...(record.tag_ids as Set<string>)].sort()]),
    ),
    locks: Object.fromEntries(
      ofAccount
        .filter((item) => item.SK.startsWith('TAGNAME#'))
        .map((item) => [item.SK, item.holder_id as string]),
    ),
  };
}

/** Counters equal the taggings, records carry the tags of their taggings, and names belong to their tags. */
export async function expectConsistent(table: Table, account_id: string): Promise<Stored> {
  const stored = await readStored(table, account_id);
  const { tags, taggings, carried, locks } = stored;
  for (const tag of tags)
    for (const type of taggableTypes) {
      const of = (each: Tagging) => each.tag_id === tag.id && each.record_type === type;
      const found = taggings.filter((each) => of(each) && !rests(each));
      expect([tag.id, type, tag[countName(type)]]).toEqual([tag.id, type, found.length]);
    }
  const byRecord = Map.groupBy(taggings, ({ PK }) => PK);
  expect(carried).toEqual(
    Object.fromEntries([...byRecord].map(([PK, own]) => [PK, own.map(({ tag_id }) => tag_id).sort()])),
  );
  for (const tagging of taggings)
    expect(
      [lists.tagged, lists.restingTagged].map((of) => of(tagging.tag_id, tagging.record_type)),
    ).toContain(tagging.list);
  expect(locks).toEqual(
    Object.fromEntries(
      tags.filter(isLiveTag).map((tag) => [keys.tagName(account_id, foldName(tag.name)).SK, tag.id]),
    ),
  );
  return stored;
}

/** Checks that every clean-up is done: no record carries a deleted tag. */
export async function expectCleanedUp(table: Table, account_id: string): Promise<Stored> {
  const stored = await expectConsistent(table, account_id);
  const standing = new Set(stored.tags.filter(isLiveTag).map(({ id }) => id));
  expect(stored.taggings.filter(({ tag_id }) => !standing.has(tag_id))).toEqual([]);
  return stored;
}

/** A private contact of nobody is in no list. */
const bareContact = {
  name: 'Tagged',
  nickname: null,
  external_id: null,
  visibility: 'private',
  email_addresses: [],
  phone_numbers: [],
  employments: [],
  shares: {},
  created_at: new Date(0).toISOString(),
  updated_at: null,
};

/** The item for a record that carries the tag; the tag's counter does not know it. */
export const taggingOf = ({ type, id }: TaggableRef, tag_id: string, account_id: string): Tagging => ({
  ...keys.tagging(type, id, tag_id),
  id: newId(new Date()),
  account_id,
  tag_id,
  record_type: type,
  record_id: id,
  user_id: account_id,
  created_at: new Date().toISOString(),
  list: lists.tagged(tag_id, type),
  rank: id,
});

/** Records that carry the tags, written straight into the table with their taggings and the counters. */
export async function givenTagged(
  { table }: Workspace,
  account_id: string,
  tag_ids: string[],
  number: number,
  type: TaggableType = 'contacts',
): Promise<string[]> {
  const ids = Array.from({ length: number }, () => newId(new Date()));
  const writesOf = (record_id: string): Write[] => [
    {
      put: {
        ...keys.record(type, record_id),
        ...(type === 'contacts' ? bareContact : {}),
        id: record_id,
        account_id,
        user_id: account_id,
        tag_ids: new Set(tag_ids),
      },
    },
    ...tag_ids.map((tag_id) => ({ put: taggingOf({ type, id: record_id }, tag_id, account_id) })),
  ];
  const atOnce = Math.floor(100 / (1 + tag_ids.length));
  for (let i = 0; i < number; i += atOnce) await table.transact(ids.slice(i, i + atOnce).flatMap(writesOf));
  for (const tag_id of tag_ids)
    await table.update<Tag>(keys.tag(account_id, tag_id), { add: { [countName(type)]: number } });
  return ids;
}
