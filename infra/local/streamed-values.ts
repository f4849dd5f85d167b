import type { AttributeValue } from '@aws-sdk/client-dynamodb-streams';
import type { StreamRecord } from '#shared/table/stream.ts';

/** Attribute values of DynamoDB Local's stream as a Lambda function gets them. */

type Values = Record<string, AttributeValue>;

/** DynamoDB Local leaves out the type of an empty map or list. Binary values are base64 in an event. */
function attributeOf(value: AttributeValue): AttributeValue {
  if (Object.keys(value).length === 0) return { M: {} };
  if (value.M) return { M: attributesOf(value.M) };
  if (value.L) return { L: value.L.map(attributeOf) };
  if (value.B) return { B: Buffer.from(value.B).toString('base64') as never };
  if (value.BS) return { BS: value.BS.map((each) => Buffer.from(each).toString('base64')) as never };
  return value;
}

const attributesOf = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, attributeOf(value)]));

const imageOf = (image: Record<string, unknown> | undefined) => image && attributesOf(image as Values);

export function asEvent({ eventName, dynamodb }: StreamRecord): StreamRecord {
  const { Keys, OldImage, NewImage } = dynamodb ?? {};
  return {
    eventName,
    dynamodb: { Keys: imageOf(Keys), OldImage: imageOf(OldImage), NewImage: imageOf(NewImage) },
  };
}
