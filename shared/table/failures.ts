import {
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './requests.ts';

/** What DynamoDB refuses, in the words of its callers. */

/** A condition did not hold. `item` is what was there instead, when one item was asked. */
export class ConditionFailed extends Error {
  readonly item: Item | undefined;
  /** Which writes of a transaction had conditions that did not hold. */
  readonly failed: readonly number[];

  constructor(item: Item | undefined, failed: readonly number[] = []) {
    super('A condition on the table did not hold');
    this.name = 'ConditionFailed';
    this.item = item;
    this.failed = failed;
  }
}

/** An item over 400 kB, a key over 1 kB or a transaction over 4 MB: no retry makes it smaller. */
export class ItemTooLarge extends Error {
  constructor(cause: unknown) {
    super('What was to be written is larger than the table takes', { cause });
    this.name = 'ItemTooLarge';
  }
}

/** The table had no room for the call. It may have later. */
export class Throttled extends Error {
  constructor(cause?: unknown) {
    super('The table has no room for more calls', { cause });
    this.name = 'Throttled';
  }
}

/** As the SDK says it once its own tries are used up, or as `Throttled`. */
export function isThrottled(error: unknown): boolean {
  if (error instanceof Throttled) return true;
  return (
    error instanceof Error &&
    /^(ProvisionedThroughputExceeded|Throttling|RequestLimitExceeded)/.test(error.name)
  );
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html#API_TransactWriteItems_Errors */
const THROTTLED = ['ThrottlingError', 'ProvisionedThroughputExceeded'];
const PASSING = [...THROTTLED, 'TransactionConflict'];

/** DynamoDB has no code of its own for items, keys and transactions that are too large: only what it says. */
const SIZE = /^(?!.*expression size).*(\bsize\b|\bbytes\b|MB\b)/is;

const tooLarge = ({ Code, Message = '' }: CancellationReason) =>
  Code === 'ValidationError' && SIZE.test(Message);

/** The reasons of a cancelled transaction other than `None`, which says that nothing is wrong with that write. */
function reasonsOf(error: TransactionCanceledException): CancellationReason[] {
  return (error.CancellationReasons ?? []).filter(({ Code }) => Code !== undefined && Code !== 'None');
}

/** True when nothing but other calls was in the way. */
const isPassing = (reasons: CancellationReason[]) =>
  reasons.length > 0 && reasons.every(({ Code }) => PASSING.includes(Code as string));

function ofTransaction(error: TransactionCanceledException): Error {
  const failed = (error.CancellationReasons ?? []).flatMap(({ Code }, i) =>
    Code === 'ConditionalCheckFailed' ? i : [],
  );
  if (failed.length > 0) return new ConditionFailed(undefined, failed);
  const reasons = reasonsOf(error);
  if (reasons.some(tooLarge)) return new ItemTooLarge(error);
  const throttled = reasons.some(({ Code }) => THROTTLED.includes(Code as string));
  return throttled && isPassing(reasons) ? new Throttled(error) : error;
}

export function understood(error: unknown): unknown {
  if (error instanceof TransactionCanceledException) return ofTransaction(error);
  if (error instanceof ConditionalCheckFailedException)
    // The document client gives this item in DynamoDB's own JSON.
    return new ConditionFailed(error.Item ? (unmarshall(error.Item) as Item) : undefined);
  const refused = error instanceof Error && error.name === 'ValidationException';
  return refused && SIZE.test(error.message) ? new ItemTooLarge(error) : error;
}

/** True for what the SDK does not try again by itself and what may go well the next time. */
export function mayPass(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) return isPassing(reasonsOf(error));
  return error instanceof Throttled || error instanceof TransactionConflictException;
}
