import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type Context, contextOf } from '#shared/context.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { getServices } from '#shared/services.ts';
import type { QueueName } from './queues.ts';

/** How a consumer checks the time that is left. */
export interface ConsumerContext {
  getRemainingTimeInMillis(): number;
}

export type QueueHandler = (event: SQSEvent, context: ConsumerContext) => Promise<SQSBatchResponse>;

/**
 * The Lambda handler of a queue: handles each message by itself. Only the failed messages are delivered again, after
 * `onFailure` (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html).
 */
export function consume<Body, Ports extends object = object>(
  name: QueueName,
  work: (ctx: Context<Ports>, body: Body, context: ConsumerContext) => Promise<void>,
  {
    onFailure,
    ports = {} as Ports,
  }: {
    onFailure?: (ctx: Context<Ports>, record: SQSRecord, error: unknown) => Promise<void>;
    ports?: Ports;
  } = {},
): QueueHandler {
  return (event, context) => {
    const processor = new BatchProcessor(EventType.SQS);
    const handleRecord = async (record: SQSRecord) => {
      const ctx = contextOf(getServices(), ports);
      try {
        await work(ctx, JSON.parse(record.body) as Body, context);
      } catch (error) {
        getLogger().error('job failed', {
          job: name,
          message_id: record.messageId,
          receive_count: record.attributes.ApproximateReceiveCount,
          error: describeError(error),
        });
        await onFailure?.(ctx, record, error);
        throw error;
      }
    };
    return processPartialResponse(event, handleRecord, processor, { throwOnFullBatchFailure: false });
  };
}
