import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { ApiEvent, ApiResult } from '#shared/api/call.ts';
import type { Operation } from '#shared/api/catalogue.ts';
import type { Services } from '#shared/services.ts';
import type { Table } from '#shared/table/table.ts';
import { startGateway } from '../../infra/local/gateway.ts';

/**
 * Counts the calls to AWS and how many of them wait for each other, in rounds: all responses are held until each call of
 * the round has one, as if all took the same time. What is sent then is of the next round.
 */
interface AwsCall {
  service: 'dynamodb' | 's3' | 'sqs';
  command: string;
  /** Its round, from 1. */
  depth: number;
  /** Items that it writes, or that a transaction writes or checks. */
  writes: number;
  read_units: number;
  write_units: number;
}

export interface Cost {
  calls: AwsCall[];
  /** Sequential round trips. */
  depth: number;
  writes: number;
  read_units: number;
  write_units: number;
}

/** What DynamoDB says it consumed: one item for single calls, several for batches and transactions. */
function unitsOf(output: unknown): number {
  const { ConsumedCapacity } = (output ?? {}) as { ConsumedCapacity?: unknown };
  const consumed = [ConsumedCapacity ?? []].flat() as { CapacityUnits?: number }[];
  return consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

const READS = /^(Get|BatchGet|Query)/;

/** Items that a call writes, or that a transaction writes or checks. */
function itemsOf(input: object): number {
  const { TransactItems, RequestItems } = input as {
    TransactItems?: unknown[];
    RequestItems?: Record<string, unknown[]>;
  };
  if (RequestItems) return Object.values(RequestItems).flat().length;
  return TransactItems?.length ?? 1;
}

/** Milliseconds in which what needs no response is sent, on a busy machine, too. */
const GRACE = 5;

class Recorder {
  readonly calls: AwsCall[] = [];
  readonly #grace: number;
  #round = 1;
  #open = 0;
  /** They give the responses of the round. */
  #held: (() => void)[] = [];

  constructor(grace: number) {
    this.#grace = grace;
  }

  async track<T>(
    service: AwsCall['service'],
    command: string,
    send: (call: AwsCall) => Promise<T>,
  ): Promise<T> {
    const none = { writes: 0, read_units: 0, write_units: 0 };
    const call: AwsCall = { service, command, depth: this.#round, ...none };
    this.calls.push(call);
    this.#open++;
    try {
      return await send(call);
    } finally {
      this.#open--;
      await new Promise<void>((resolve) => {
        this.#held.push(resolve);
        void this.#endRound();
      });
    }
  }

  async #endRound(): Promise<void> {
    if (this.#open > 0) return;
    await (this.#grace > 0 ? setTimeout(this.#grace) : setImmediate());
    if (this.#open > 0 || this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    this.#round++;
    for (const give of held) give();
  }

  cost(): Cost {
    return costOf(this.calls);
  }
}

function costOf(calls: AwsCall[]): Cost {
  const depths = new Set(calls.map(({ depth }) => depth));
  const sum = (name: 'writes' | 'read_units' | 'write_units') =>
    calls.reduce((total, call) => total + call[name], 0);
  return {
    calls,
    depth: depths.size,
    writes: sum('writes'),
    read_units: sum('read_units'),
    write_units: sum('write_units'),
  };
}

/** Reports the calls of the table's client to the current recorder. Returns a function that ends that. */
function meterTable(table: Table, name: string, wanted: () => Recorder | undefined): () => void {
  const stack = table.client.middlewareStack;
  stack.add(
    (next, context) => (args) => {
      const recorder = wanted();
      if (!recorder) return next(args);
      const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' } as typeof args.input;
      const command = String(context.commandName);
      const read = READS.test(command);
      return recorder.track('dynamodb', command, async (call) => {
        if (!read) call.writes = itemsOf(args.input);
        const response = await next({ ...args, input });
        call[read ? 'read_units' : 'write_units'] = unitsOf(response.output);
        return response;
      });
    },
    { step: 'initialize', name, override: true },
  );
  return () => {
    stack.remove(name);
  };
}

/**
 * For suites that check `depth`: a call that is sent late, on a busy machine, comes in a round of its own. So timing can only
 * add to the depth, and the least of a few runs is the depth of an operation.
 */
export const bestOfFive = { retry: 4 };

type Send = (this: unknown, command: object, ...rest: unknown[]) => Promise<unknown>;

/** Clients of S3 and SQS are created late, where they are used, so their class is instrumented. */
function meterClass(client: { prototype: object }, service: AwsCall['service']): () => void {
  const prototype = client.prototype as { send?: Send };
  const send = prototype.send as Send;
  prototype.send = function (command, ...rest) {
    const call = () => send.call(this, command, ...rest);
    return requests.getStore()?.track(service, command.constructor.name, call) ?? call();
  };
  // The method is inherited.
  return () => {
    delete prototype.send;
  };
}

/** The cost of all calls to the table while `work` runs. Where time is measured as well, `grace` is 0. */
export async function measureTable(table: Table, work: () => Promise<unknown>, grace = GRACE): Promise<Cost> {
  const recorder = new Recorder(grace);
  const stop = meterTable(table, 'measure-table', () => recorder);
  try {
    await work();
  } finally {
    stop();
  }
  return recorder.cost();
}

/** The recorder of the current request; concurrent queues and schedules have none. */
const requests = new AsyncLocalStorage<Recorder>();

export interface RequestCost extends Cost {
  operation: string;
  /** Of the bodies. */
  request_bytes: number;
  response_bytes: number;
}

export interface MeteredGateway {
  url: string;
  /** The cost of the request that was completed last. */
  last(): RequestCost;
  stop(): Promise<void>;
}

/** Serves the operations once more, and measures every request. Where time is measured as well, `grace` is 0. */
export async function startMeteredGateway(
  services: Services,
  operations: Operation[],
  grace = GRACE,
): Promise<MeteredGateway> {
  let last: RequestCost | undefined;
  const metered = operations.map((operation) => ({
    ...operation,
    handler: async (event: ApiEvent, context: unknown): Promise<ApiResult> => {
      const recorder = new Recorder(grace);
      const result = await requests.run(recorder, () => operation.handler(event, context));
      const request_bytes = Buffer.byteLength(event.body ?? '');
      const response_bytes = Buffer.byteLength(result.body);
      last = { ...recorder.cost(), operation: operation.name, request_bytes, response_bytes };
      return result;
    },
  }));
  const stops = [
    meterTable(services.table, 'measure-requests', () => requests.getStore()),
    meterClass(S3Client, 's3'),
    meterClass(SQSClient, 'sqs'),
  ];
  const gateway = await startGateway(metered, 0);
  return {
    url: gateway.url,
    last: () => {
      if (!last) throw new Error('No operation was called');
      return last;
    },
    stop: async () => {
      await gateway.close();
      for (const stop of stops) stop();
    },
  };
}

/** Round trips of authentication, which come before anything else. */
const AUTHENTICATION = 2;

/** The cost of authentication, and of the operation after it. */
export function splitCost(cost: Cost, access: string): { authentication: Cost; operation: Cost } {
  const depth = access === 'public' ? 0 : AUTHENTICATION;
  return {
    authentication: costOf(cost.calls.filter((call) => call.depth <= depth)),
    operation: costOf(cost.calls.filter((call) => call.depth > depth)),
  };
}
