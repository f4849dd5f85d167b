import type { Services } from './services.ts';

/**
 * What work needs besides the table; the first parameter of every function that takes it. `ports` are what a context of
 * the domain requires from the contexts above it: each entry point names those it needs from `shared/composition`, so
 * its bundle contains no others.
 */
export interface Context<Ports extends object = object> extends Services {
  /** When the work began: the one time for all writes of a request. Long work reads the `clock`. */
  now: Date;
  ports: Ports;
}

/** Who sent a request, as its connection and its browser say. */
export interface Visitor {
  /** Of the connection: never from a header. */
  source_ip: string;
  user_agent: string | null;
}

/** How a request called the service. */
export interface Called {
  /** What its own addresses begin with, such as `https://api.acme.example/v1`; only a path where the gateway says no more. */
  base_url: string;
}

/** The named ports only. */
function replaced<Ports extends object>(ports: Ports, standIns: Services['stand_ins']): Ports {
  if (!standIns) return ports;
  const named = Object.entries(standIns).filter(([name]) => name in ports);
  return { ...ports, ...Object.fromEntries(named) };
}

export function contextOf<Ports extends object>(services: Services, ports: Ports): Context<Ports> {
  return { ...services, now: services.clock(), ports: replaced(ports, services.stand_ins) };
}

/** The context for a later step of long work, with the current time. */
export function asOfNow<Ctx extends Context>(ctx: Ctx): Ctx {
  return { ...ctx, now: ctx.clock() };
}
