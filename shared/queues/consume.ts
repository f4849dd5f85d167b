import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type Context, contextOf } from '#shared/context.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { getServices } from '#shared/services.ts';
import type { QueueName } from './queues.ts';

/** What a consumer is told about the time it has. */
export interface ConsumerContext {
  getRemainingTimeInMillis(): number;
}

export type QueueHandler = (event: SQSEvent, context: ConsumerContext) => Promise<SQSBatchResponse>;

/**
 * The Lambda entry of a queue: each message on its own, and only those that failed are delivered again, after what
 * `onFailure` does with them
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html).
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
