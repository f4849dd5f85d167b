import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DUE_SHARDS,
  JOB_SHARDS,
  type Key,
  keys,
  lists,
  type RecordType,
  timeRank,
} from '#shared/table/keys.ts';

type Builders = Record<string, (...given: never[]) => unknown>;

/** The values for every argument of every builder, of the argument's own type. */
type Values<Given extends unknown[]> = { [Place in keyof Given]: readonly Given[Place][] };
type Pools<Of extends Builders> = { [Name in keyof Of]: Values<Parameters<Of[Name]>> };

/** So few values, and the same for all builders, that every possible collision happens. */
const ids = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-000000000002'];
const numbers = [0, 1, 2, 10, 12];
const types: RecordType[] = ['contacts', 'threads', 'files'];
/** Values that users choose. */
const texts = ['', 'a', 'b', 'a#b', '#', '#a', 'a#', '["a","b"]', 'A', 'META', ids[0] as string];
const hashes = ['a'.repeat(64), 'b'.repeat(64)];

const keyPools: Pools<typeof keys> = {
  account: [ids],
  user: [ids, ids],
  login: [texts],
  invitation: [texts, ids],
  session: [ids, ids],
  socketTicket: [hashes],
  socket: [ids, ids, ids],
  socketUser: [ids],
  socketPlace: [ids],
  socketShard: [numbers],
  mailbox: [ids, ids],
  tag: [ids, ids],
  taggedSpace: [ids, ids],
  tagName: [ids, texts],
  addressInMail: [ids, texts],
  domainInMail: [ids, texts],
  auditEvent: [ids, ids],
  closedAccount: [numbers, ids],
  erasedAccount: [ids],
  termsAssent: [ids, texts, texts],
  acquaintance: [ids, texts],
  lastMail: [ids, texts],
  lastMailPosting: [ids, numbers, texts],
  group: [ids, ids],
  mailboxAddress: [ids, texts],
  groupName: [ids, texts],
  pipelineOrder: [ids],
  pipeline: [ids, ids],
  stageDeals: [ids, ids, ids],
  stageDeal: [ids, ids],
  stageMoves: [ids],
  leftIndex: [types, ids, ids],
  formerLinks: [types, ids, ['link', 'employment', 'membership']],
  formerLink: [types, ids, ['link', 'employment', 'membership'], types, ids],
  history: [types, ids],
  activities: [types, ids],
  activity: [types, ids, numbers, ids],
  activitiesOf: [ids],
  activityOf: [ids, numbers, ids],
  historyEntry: [types, ids, numbers, ids],
  stageMove: [ids, numbers],
  pipelineName: [ids, texts],
  calendar: [ids, ids],
  calendarSubscription: [ids, ids],
  meeting: [ids, hashes],
  mailFolder: [ids, ids],
  mailReport: [ids, ids, numbers],
  mailSession: [ids],
  mailCopy: [ids, ['1', '12'], numbers],
  mailCopyOf: [ids, ids, ids, ['1', '12'], numbers],
  draft: [ids, ids],
  sentDraft: [ids, ids],
  pendingDraft: [ids, ids],
  serverResource: [ids, texts],
  owedEvent: [ids, ids],
  transcripts: [ids],
  transcriptPart: [ids, ids, numbers],
  agentConfiguration: [ids, ['sales', 'support']],
  groupAccess: [ids],
  recordCount: [ids, types],
  apiKeyRow: [ids, ids],
  deviceToken: [ids],
  waitlistee: [texts],
  signupInvitation: [hashes],
  emailAddress: [ids, texts],
  domain: [ids, texts],
  organizationName: [ids, texts],
  externalId: [ids, types, texts],
  customFields: [ids, types],
  customValue: [ids, ids, texts],
  mailboxView: [ids, ids],
  listEntry: [types, ids, ids],
  assistantUsage: [ids, ['2026-11', '2026-12']],
  credential: [hashes],
  oneTimeCode: [texts],
  authorization: [texts],
  identity: [texts, texts],
  userRate: [ids, numbers],
  hourlyRate: [['SIGNIN', 'CODES'], texts, numbers],
  questionRate: [ids, numbers],
  idempotency: [ids, texts, texts],
  conversation: [ids, ids],
  conversationMessage: [ids, ids],
  threadEntry: [ids, ids],
  posting: [ids, ['all', 'inbox', 'tag:1'], ['0000000000001#1', '0000000000002#1']],
  listCount: [ids, types, texts],
  listYear: [ids, types, texts, ['0000', '2026']],
  listMonth: [ids, types, texts, ['2026-11', '2026-12']],
  packedList: [ids, types, texts, ['a', 'b', '-', '_']],
  listSum: [ids, types, texts],
  ownerRow: [['organizations', 'spaces'], ids, texts],
  textIndex: [ids],
  textLog: [ids, ids],
  textGone: [ids, ids],
  textStale: [ids, ids],
  textSegment: [ids, ids],
  textDocs: [ids, ids, numbers],
  textBlocks: [ids, ids],
  textBlock: [ids, ids, ['a', 'ab', 'b'], numbers],
  record: [types, ids],
  comment: [types, ids, ids],
  commentPart: [types, ids, ids, numbers],
  reaction: [types, ids, ids, ids],
  commenter: [types, ids, ids, ids],
  groupShare: [ids, types, ids],
  linked: [types, ids, types, ids],
  distinct: [ids, ids],
  keptMerge: [ids],
  tagging: [types, ids, ids],
  offers: [ids],
  offeredTag: [ids, ids],
  offeredDeal: [ids],
  look: [ids, ['auto_task', 'auto_deal']],
  message: [ids, numbers, ids],
  body: [ids, ids],
  commentPointer: [ids],
  messageId: [ids, hashes, ids],
  messagePlace: [ids],
  referrer: [ids, hashes, ids],
  awaited: [ids, hashes, ids],
  notification: [ids, ids],
  notificationsRead: [ids, numbers],
  notificationUnread: [ids, numbers, ids],
  notificationMarks: [ids],
  notificationsDismissed: [ids, ['all', 'deal_won', 'comment_added'], numbers],
  notificationListed: [ids, numbers, ids],
  enrichment: [ids, ids],
  proposalTarget: [types, ids, ids],
  proposedMerge: [types, ids, ids],
  proposal: [ids],
  shareRequest: [ids],
  shareRequestRow: [ids, ['sent', 'received'], [true, false], ids],
  shareRequests: [ids, ['sent', 'received']],
  askedFor: [ids, types, ids],
  attachment: [ids],
  upload: [ids],
  mailImport: [ids],
  mailImportFailure: [ids, numbers],
  recordImport: [ids, ids],
  importRows: [ids, numbers, numbers],
  importRowsOf: [ids, numbers, ['failed', 'created'], numbers],
  recordExport: [ids, ids],
  job: [ids],
  dueWork: [numbers, ['remind', 'purge', 'forget'], types, ids],
  dailyBriefing: [ids, ['2026-11-20', '2026-11-21']],
  additions: [ids, ['pins', 'followed']],
  accountAdditions: [ids, ['tags', 'space_members']],
  dueDigest: [numbers, ids],
  dueDraft: [numbers, ids],
  dueShard: [Array.from({ length: DUE_SHARDS }, (_, shard) => shard)],
  reminded: [types, ids, numbers],
  tableFact: [['data_version', 'other']],
  jobShard: [Array.from({ length: JOB_SHARDS }, (_, shard) => shard)],
};

/** Most lists are named by one id. */
const listPools = {
  ...Object.fromEntries(Object.keys(lists).map((name) => [name, [ids]])),
  tagged: [ids, types],
} as unknown as Pools<typeof lists>;

/** Every choice of one value from each pool. */
function choices(pools: readonly (readonly unknown[])[]): unknown[][] {
  return pools.reduce<unknown[][]>(
    (chosen, pool) => chosen.flatMap((before) => pool.map((value) => [...before, value])),
    [[]],
  );
}

interface Call {
  name: string;
  given: unknown[];
  built: string;
}

/** Every call of every builder with values of the pools. */
function callsOf<Of extends Builders>(builders: Of, pools: Pools<Of>): Call[] {
  return Object.entries(builders).flatMap(([name, build]) =>
    choices(pools[name] as unknown[][]).map((given) => ({
      name,
      given,
      built: JSON.stringify(build(...(given as never[]))),
    })),
  );
}

/** Calls that built the same key as another one. */
function collisions(calls: Call[]): Call[][] {
  return [...Map.groupBy(calls, ({ built }) => built).values()].filter((same) => same.length > 1);
}

const calls = callsOf(keys, keyPools);

describe('keys', () => {
  it('never builds the same key for two different items', () => {
    expect(new Set(calls.map(({ name }) => name))).toEqual(new Set(Object.keys(keys)));
    expect(collisions(calls)).toEqual([]);
  });

  it.each(Object.keys(keys))('%s: every value it is given is in its key', (name) => {
    const own = calls.filter((call) => call.name === name);
    expect(own.length).toBeGreaterThan(1);
    expect(new Set(own.map(({ built }) => built)).size).toBe(own.length);
  });

  it('finds the collision of builders that join values without a separator', () => {
    const careless = { pair: (a: string, b: string): Key => ({ PK: a + b, SK: 'META' }) };
    expect(collisions(callsOf(careless, { pair: [texts, texts] }))).not.toEqual([]);
  });

  it('never builds the same name for two different lists of an index', () => {
    expect(collisions(callsOf(lists, listPools))).toEqual([]);
  });

  it('never exceeds the length that DynamoDB allows, with any input', () => {
    const long = 'ü'.repeat(10_000);
    for (const key of [keys.tagName('a', long), keys.emailAddress('a', long)])
      expect(Buffer.byteLength(key.SK) + Buffer.byteLength(key.PK)).toBeLessThan(1_024);
  });

  it('sorts timestamps as text in the order of their numbers', () => {
    const [first, last] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'].map(Date.parse) as [
      number,
      number,
    ];
    const moment = fc.oneof(
      fc.integer({ min: first, max: last }),
      fc.integer({ min: -10, max: 10 }),
      fc.constantFrom(first, last),
    );
    expect(timeRank(first - 1)).toBe(timeRank(first));
    expect(timeRank(last + 1)).toBe(timeRank(last));
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        expect(timeRank(a) < timeRank(b)).toBe(a < b);
      }),
    );
  });
});
