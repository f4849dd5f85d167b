import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from './keys.ts';
import type { Item } from './requests.ts';

/** A change of an item, as the stream of the table tells it. */
export interface Change {
  key: Key;
  /** Undefined when the change made the item. */
  before: StreamedItem | undefined;
  /** Undefined when the change removed it. */
  after: StreamedItem | undefined;
}

export type StreamedItem = Item & { [name: string]: unknown };

type Image = Record<string, unknown>;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html */
export interface StreamRecord {
  eventName?: string | undefined;
  dynamodb?:
    | { Keys?: Image | undefined; OldImage?: Image | undefined; NewImage?: Image | undefined }
    | undefined;
}

/** Binary values are as the event has them. */
const itemOf = (image: Image | undefined): StreamedItem | undefined =>
  image && (unmarshall(image as Record<string, AttributeValue>) as StreamedItem);

export function readChange({ dynamodb }: StreamRecord): Change {
  const key = itemOf(dynamodb?.Keys);
  if (!key) throw new Error('The record names no item');
  return {
    key: { PK: key.PK, SK: key.SK },
    before: itemOf(dynamodb?.OldImage),
    after: itemOf(dynamodb?.NewImage),
  };
}
