import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Table } from '#shared/table/table.ts';

/**
 * Runs several workers against real parts, one call at a time, in an order that the test decides: every call of a
 * worker to the table or a server waits until it is released.
 */

/** The fate of a call: it is executed, it fails before or after its execution, or its worker dies. */
export type Fate = 'done' | 'fails' | 'fails-after' | 'dies';

export interface Worker {
  state: 'working' | 'done' | 'failed' | 'dead';
  finished: Promise<void>;
}

interface Call {
  worker: Worker;
  name: string;
  decide: (fate: Fate) => void;
}

/** A turn of everything else: a millisecond, because a loop without any pause takes the processor from the workers. */
export const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

export class Interleaving {
  /** The waiting calls. */
  waiting: Call[] = [];
  private readonly current = new AsyncLocalStorage<Worker>();
  private readonly workers: Worker[] = [];
  private underway = 0;

  /** Makes the workers' calls to a table wait; returns a function that ends that. */
  watch(table: Table): () => void {
    const name = `interleaving-${randomUUID()}`;
    table.client.middlewareStack.add(
      (next, context) => (args) => this.call(String(context.commandName), () => next(args)),
      { step: 'initialize', name },
    );
    return () => {
      table.client.middlewareStack.remove(name);
    };
  }

  start(work: () => Promise<void>): Worker {
    const worker: Worker = { state: 'working', finished: Promise.resolve() };
    const end = (state: 'done' | 'failed') => () => {
      worker.state = state;
    };
    this.workers.push(worker);
    worker.finished = this.current.run(worker, () => work().then(end('done'), end('failed')));
    return worker;
  }

  /** Calls outside of workers are executed at once. */
  async call<T>(name: string, send: () => Promise<T>): Promise<T> {
    const worker = this.current.getStore();
    if (!worker) return send();
    const fate = await new Promise<Fate>((decide) => this.waiting.push({ worker, name, decide }));
    if (fate === 'fails') throw new Error(`${name} failed`);
    this.underway++;
    try {
      const response = await send();
      if (fate === 'fails-after') throw new Error(`${name} was done, and its response was lost`);
      return response;
    } finally {
      this.underway--;
    }
  }

  /** Decides the fate of one call, and waits until its worker reaches the next. */
  async decide(call: Call, fate: Fate): Promise<void> {
    if (fate === 'dies') {
      call.worker.state = 'dead';
      this.waiting = this.waiting.filter(({ worker }) => worker !== call.worker);
    } else {
      this.waiting = this.waiting.filter((each) => each !== call);
      call.decide(fate);
    }
    await this.quiet();
  }

  async quiet(): Promise<void> {
    do for (let i = 0; i < 5; i++) await turn();
    while (this.underway > 0);
  }

  /** Releases every call until no worker is left, also those that pause. */
  async finish(): Promise<void> {
    while (this.waiting.length > 0 || this.workers.some(({ state }) => state === 'working')) {
      const [call] = this.waiting;
      if (call) await this.decide(call, 'done');
      else await turn();
    }
  }
}
