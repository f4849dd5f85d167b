import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { longestPause, TRIES } from '#shared/table/backoff.ts';
import { isThrottled, Throttled } from '#shared/table/failures.ts';
import {
  ConditionFailed,
  type Item,
  ItemTooLarge,
  mustExist,
  mustNotExist,
  type Table,
  type Update,
  update,
  type Write,
} from '#shared/table/table.ts';
import { codeOf } from '../support/failures.ts';
import { type Refusal, refuse } from '../support/faults.ts';
import { longIt } from '../support/long.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html#API_TransactWriteItems_Errors */
const reasons = {
  none: { Code: 'None' },
  condition: { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
  conflict: { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
  throttling: { Code: 'ThrottlingError', Message: 'Throughput exceeds the current capacity of your table.' },
  throughput: {
    Code: 'ProvisionedThroughputExceeded',
    Message: 'The level of configured provisioned throughput for the table was exceeded.',
  },
  size: {
    Code: 'ValidationError',
    Message: 'Item size to update has exceeded the maximum allowed size',
  },
  type: {
    Code: 'ValidationError',
    Message: 'An operand in the update expression has an incorrect data type',
  },
  collection: { Code: 'ItemCollectionSizeLimitExceeded', Message: 'Collection size exceeded.' },
  access: { Code: 'AccessDenied', Message: 'Access denied.' },
} as const;
type Reason = keyof typeof reasons;

const cancelled = (codes: Reason[], done = false): Refusal => ({
  type: 'TransactionCanceledException',
  reasons: codes.map((code) => reasons[code]),
  done,
});

/** The outcome of a transaction that was cancelled once, by the functions under test. */
function expected(codes: Reason[]): string {
  const failed = codes.flatMap((code, i) => (code === 'condition' ? i : []));
  if (failed.length > 0) return `ConditionFailed ${failed}`;
  if (codes.includes('size')) return 'ItemTooLarge';
  if (codes.some((code) => ['type', 'collection', 'access'].includes(code)))
    return 'TransactionCanceledException';
  return codes.every((code) => code === 'none') ? 'TransactionCanceledException' : 'written';
}

type Row = Item & { a?: number; text?: string; more?: string };
/** The row with a wrong type, for code that adds to a text. */
type Miscounted = Item & { text: number; [n: `n${number}`]: number };

describe('requests that DynamoDB refuses', () => {
  let workspace: Workspace;
  let table: Table;
  beforeAll(async () => {
    workspace = await startWorkspace();
    table = workspace.table;
    // Pauses between tries end at once: their length is asserted below.
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterAll(() => workspace.stop());
  let refusal: ReturnType<typeof refuse> | undefined;
  afterEach(() => refusal?.remove());

  const places = (count: number) => {
    const PK = `FAULTS#${randomUUID()}`;
    return Array.from({ length: count }, (_, i) => ({ PK, SK: String(i).padStart(3, '0') }));
  };
  const written = async (keys: { PK: string }[]) => (await table.all(keys[0]?.PK as string)).length;
  const ending = (work: Promise<unknown>) =>
    work.then(
      () => 'written',
      (error: Error) => (error instanceof ConditionFailed ? `${error.name} ${error.failed}` : error.name),
    );

  longIt('is classified by every reason in every position of a transaction', async () => {
    const codes = Object.keys(reasons) as Reason[];
    const alone = codes.flatMap((code) =>
      [0, 1, 2].map((at) => ['none', 'none', 'none'].map((none, i) => (i === at ? code : none)) as Reason[]),
    );
    const mixed = fc.array(fc.constantFrom(...codes), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(mixed, async (found) => {
        refusal = refuse(table, 'TransactWriteItemsCommand', [cancelled(found)]);
        const keys = places(found.length);
        const outcome = await ending(table.transact(keys.map((put) => ({ put, when: mustNotExist }))));
        refusal.remove();
        const ok = expected(found) === 'written';
        expect([outcome, refusal.sent]).toEqual([expected(found), ok ? 2 : 1]);
        expect(await written(keys)).toBe(ok ? found.length : 0);
      }),
      { numRuns: 60, examples: alone.map((each) => [each]) },
    );
  });

  it('is retried until a try succeeds, throttled or not', async () => {
    const codes: Reason[] = ['throttling', 'conflict', 'throughput', 'throttling', 'conflict'];
    const keys = places(2);
    refusal = refuse(
      table,
      'TransactWriteItemsCommand',
      codes.map((code) => cancelled(['none', code])),
    );
    await table.transact(keys.map((put) => ({ put, when: mustNotExist })));
    expect([refusal.sent, await written(keys)]).toEqual([codes.length + 1, 2]);
  });

  it('is not retried for ever', async () => {
    for (const [code, name] of [
      ['throttling', 'Throttled'],
      ['throughput', 'Throttled'],
      ['conflict', 'TransactionCanceledException'],
    ] as const) {
      const keys = places(1);
      refusal = refuse(table, 'TransactWriteItemsCommand', cancelled([code]));
      const outcome = await ending(table.transact(keys.map((put) => ({ put }))));
      refusal.remove();
      expect([outcome, refusal.sent, await written(keys)]).toEqual([name, TRIES, 0]);
    }
    const pauses = Array.from({ length: TRIES - 1 }, (_, i) => longestPause(i + 1));
    // A request has 29 seconds.
    expect(pauses.reduce((sum, each) => sum + each)).toBeLessThan(6_000);
  });

  it('ends a request with its result or the documented error, never with a wrong response', async () => {
    const create = (name: string) => workspace.ada.api.createTag({ body: { tag: { name } } });
    const named = async (name: string) =>
      (await workspace.ada.reader.listTags()).body.collection.records.some((tag) => tag.name === name);
    refusal = refuse(table, 'TransactWriteItemsCommand', Array(4).fill(cancelled(['none', 'throttling'])));
    expect((await create('Held up')).status).toBe(201);
    refusal.remove();
    for (const [code, name] of [
      ['throttling', 'Refused'],
      ['size', 'Too large'],
    ] as const) {
      refusal = refuse(table, 'TransactWriteItemsCommand', cancelled(['none', code]));
      expect(await codeOf(create(name))).toBe('500 error');
      refusal.remove();
      expect(await named(name)).toBe(false);
    }
    expect(await named('Held up')).toBe(true);
  });

  it('does not include a transaction that was executed when its response was lost', async () => {
    const keys = places(2);
    refusal = refuse(table, 'TransactWriteItemsCommand', [cancelled(['none', 'throttling'], true)]);
    await table.transact(keys.map((put) => ({ put, when: mustNotExist })));
    expect([refusal.sent, await written(keys)]).toEqual([2, 2]);
  });

  it('leaves a conflict of a single write to the next try', async () => {
    const [key] = places(1) as [{ PK: string; SK: string }];
    const conflict = { type: 'TransactionConflictException' };
    for (const [command, write] of [
      ['PutItemCommand', () => table.put(key)],
      ['UpdateItemCommand', () => table.update<Row>(key, { set: { a: 1 } })],
      ['DeleteItemCommand', () => table.delete(key)],
    ] as const) {
      refusal = refuse(table, command, [conflict, conflict]);
      await write();
      refusal.remove();
      expect([command, refusal.sent]).toEqual([command, 3]);
    }
  });

  describe('of a write with `otherwise`', () => {
    type Part = { holds: boolean; otherwise?: string };
    const holds = { holds: true, otherwise: 'held' };
    const cases: [string, Part[], string][] = [
      ['is that', [{ holds: false, otherwise: 'taken' }], 'taken'],
      ['is that beside what holds', [holds, { holds: false, otherwise: 'taken' }, holds], 'taken'],
      [
        'is that beside what says nothing and holds',
        [{ holds: true }, { holds: false, otherwise: 'taken' }],
        'taken',
      ],
      [
        'is the first of several',
        [holds, { holds: false, otherwise: 'full' }, { holds: false, otherwise: 'taken' }],
        'full',
      ],
      [
        'is a conflict beside one that says nothing',
        [{ holds: false, otherwise: 'taken' }, { holds: false }],
        'ConditionFailed 0,1',
      ],
      [
        'is a conflict behind one that says nothing',
        [{ holds: false }, holds, { holds: false, otherwise: 'taken' }],
        'ConditionFailed 0,2',
      ],
      ['is nothing where all hold', [holds, { holds: true }], 'written'],
    ];
    it.each(cases)('%s', async (_, parts, outcome) => {
      const keys = places(parts.length);
      const writes = parts.map(({ holds, otherwise }, i): Write => {
        const put = keys[i] as { PK: string; SK: string };
        const write = { put, when: holds ? mustNotExist : mustExist };
        return otherwise
          ? { ...write, otherwise: () => Object.assign(new Error(), { name: otherwise }) }
          : write;
      });
      expect(await ending(table.transact(writes))).toBe(outcome);
      expect(await written(keys)).toBe(outcome === 'written' ? parts.length : 0);
    });
  });

  describe('as too large', () => {
    const half = 'x'.repeat(300_000);
    const more: Update<Row> = { set: { more: half } };
    const tooLarge: [string, (key: { PK: string; SK: string }) => Promise<unknown>][] = [
      ['a put', (key) => table.put({ ...key, text: half + half })],
      ['an update by its value', (key) => table.update<Row>(key, { set: { more: half + half } })],
      ['an update by what is there', (key) => table.update(key, more)],
      [
        'one of many',
        (key) => table.writeMany([{ put: key }, { put: { ...key, SK: 'x', text: half + half } }]),
      ],
      ['a put in a transaction', (key) => table.transact([{ put: { ...key, text: half + half } }])],
      [
        'an update in a transaction',
        (key) => table.transact([{ put: { ...key, SK: 'x' } }, update(key, more)]),
      ],
      [
        'a transaction of 4.5 MB',
        (key) =>
          table.transact(Array.from({ length: 15 }, (_, i) => ({ put: { ...key, SK: `${i}`, text: half } }))),
      ],
      ['a key', (key) => table.put({ ...key, SK: 'k'.repeat(1_025) })],
      ['a key in a transaction', (key) => table.transact([{ put: { ...key, SK: 'k'.repeat(1_025) } }])],
    ];
    longIt.each(tooLarge)('%s', async (_, write) => {
      const [key] = places(1) as [{ PK: string; SK: string }];
      await table.put({ ...key, text: half });
      await expect(write(key)).rejects.toThrow(ItemTooLarge);
      expect(await table.all(key.PK)).toEqual([{ ...key, text: half }]);
    });

    it('does not include other errors', async () => {
      const [key] = places(1) as [{ PK: string; SK: string }];
      await table.put({ ...key, text: 'text' });
      const many = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`n${i}` as const, 1]));
      const changes: Update<Miscounted>[] = [{ add: { text: 1 } }, { set: many }];
      for (const wrong of changes) {
        expect(await ending(table.update(key, wrong))).toBe('ValidationException');
        expect(await ending(table.transact([update(key, wrong)]))).toMatch(
          /^(Validation|TransactionCanceled)/,
        );
      }
    });
  });

  describe('one by one', () => {
    /** Leaves the part of a batch that `each` names unprocessed, `times` times. */
    const leave = (command: string, times: number) => {
      const name = `leave-${command}`;
      let sent = 0;
      table.client.middlewareStack.add(
        (next, context) => async (args) => {
          if (context.commandName !== command) return next(args);
          sent++;
          if (sent > times) return next(args);
          const input = args.input as { RequestItems: Record<string, unknown> };
          const [asked] = Object.values(input.RequestItems) as [unknown[] & { Keys?: unknown[] }];
          const kept = (all: unknown[]) => all.slice(0, Math.floor(all.length / 2));
          const left = (all: unknown[]) => all.slice(Math.floor(all.length / 2));
          const part = (of: typeof kept) => ({
            [table.name]: asked.Keys ? { ...asked, Keys: of(asked.Keys) } : of(asked),
          });
          const some = part(kept);
          const { output, response } =
            (asked.Keys ?? asked).length > 1
              ? await next({ ...args, input: { ...input, RequestItems: some } } as typeof args)
              : { output: { $metadata: {} }, response: undefined };
          const undone = { UnprocessedKeys: part(left), UnprocessedItems: part(left) };
          return { response, output: { ...output, ...undone } } as never;
        },
        { step: 'initialize', name },
      );
      return {
        get sent() {
          return sent;
        },
        remove: () => table.client.middlewareStack.remove(name),
      };
    };

    it('is written and read when there is capacity again', async () => {
      const keys = places(60);
      const writes = leave('BatchWriteItemCommand', 6);
      await table.writeMany(keys.map((put) => ({ put })));
      writes.remove();
      expect(await written(keys)).toBe(60);
      const reads = leave('BatchGetItemCommand', 4);
      const found = await table.getMany(keys);
      reads.remove();
      expect(found.map(({ SK }) => SK).sort()).toEqual(keys.map(({ SK }) => SK));
      expect([writes.sent > 6, reads.sent]).toEqual([true, 5]);
    });

    it('is an error when there is no capacity for long', async () => {
      const keys = places(2);
      for (const [command, work] of [
        ['BatchWriteItemCommand', () => table.writeMany(keys.map((put) => ({ put })))],
        ['BatchGetItemCommand', () => table.getMany(keys)],
      ] as const) {
        const full = leave(command, Number.POSITIVE_INFINITY);
        await expect(work()).rejects.toThrow(Throttled);
        full.remove();
        expect(full.sent).toBe(TRIES);
      }
    });
  });

  it('is recognized as throttling from any source', () => {
    const named = (name: string) => Object.assign(new Error('x'), { name });
    for (const name of [
      'ThrottlingException',
      'ProvisionedThroughputExceededException',
      'RequestLimitExceeded',
    ])
      expect(isThrottled(named(name)), name).toBe(true);
    expect(isThrottled(new Throttled())).toBe(true);
    for (const other of [named('ValidationException'), new ConditionFailed(undefined), 'ThrottlingException'])
      expect(isThrottled(other)).toBe(false);
  });
});
