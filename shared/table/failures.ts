import {
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './requests.ts';

/** DynamoDB's errors as errors of the domain. */

/** A condition failed. `item` is the item that was found instead, when the call was about one item. */
export class ConditionFailed extends Error {
  readonly item: Item | undefined;
  /** The indexes of a transaction's writes whose conditions failed. */
  readonly failed: readonly number[];

  constructor(item: Item | undefined, failed: readonly number[] = []) {
    super('A condition on the table did not hold');
    this.name = 'ConditionFailed';
    this.item = item;
    this.failed = failed;
  }
}

/** An item over 400 kB, a key over 1 kB or a transaction over 4 MB: a retry does not help. */
export class ItemTooLarge extends Error {
  constructor(cause: unknown) {
    super('What was to be written is larger than the table takes', { cause });
    this.name = 'ItemTooLarge';
  }
}

/** The table throttled the call. A later one may succeed. */
export class Throttled extends Error {
  constructor(cause?: unknown) {
    super('The table has no room for more calls', { cause });
    this.name = 'Throttled';
  }
}

/** As the SDK reports it after its own retries, or as `Throttled`. */
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

/** DynamoDB has no error code for items, keys and transactions that are too large: only its message tells. */
const SIZE = /^(?!.*expression size).*(\bsize\b|\bbytes\b|MB\b)/is;

const tooLarge = ({ Code, Message = '' }: CancellationReason) =>
  Code === 'ValidationError' && SIZE.test(Message);

/** The reasons of a cancelled transaction, without `None`, which marks a write that did not fail. */
function reasonsOf(error: TransactionCanceledException): CancellationReason[] {
  return (error.CancellationReasons ?? []).filter(({ Code }) => Code !== undefined && Code !== 'None');
}

/** True when only other calls interfered. */
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
    // The document client leaves this item in DynamoDB's own JSON.
    return new ConditionFailed(error.Item ? (unmarshall(error.Item) as Item) : undefined);
  const refused = error instanceof Error && error.name === 'ValidationException';
  return refused && SIZE.test(error.message) ? new ItemTooLarge(error) : error;
}

/** True for temporary errors that the SDK does not retry by itself. */
export function mayPass(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) return isPassing(reasonsOf(error));
  return error instanceof Throttled || error instanceof TransactionConflictException;
}

/** True when the table, the bucket or the network failed, which is not the fault of what was to be written. */
export function isOutage(error: unknown): boolean {
  const { $fault, code, name } = error as { $fault?: string; code?: unknown; name?: string };
  const unreachable = typeof code === 'string' && /^E[A-Z]+$/.test(code);
  return (
    isThrottled(error) || mayPass(error) || $fault === 'server' || unreachable || name === 'TimeoutError'
  );
}
