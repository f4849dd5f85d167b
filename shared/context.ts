import type { Services } from './services.ts';

/**
 * What work is done with; it comes first wherever more than the table is needed. `ports` are what a context of the
 * domain asks of those above it: each entry point names those that it needs from `shared/composition`, so that its
 * bundle holds no others.
 */
export interface Context<Ports extends object = object> extends Services {
  /** When the work began: one moment for all that a request writes. Long work asks the `clock`. */
  now: Date;
  ports: Ports;
}

/** Of the ports that are named, and no others. */
function replaced<Ports extends object>(ports: Ports, standIns: Services['stand_ins']): Ports {
  if (!standIns) return ports;
  const named = Object.entries(standIns).filter(([name]) => name in ports);
  return { ...ports, ...Object.fromEntries(named) };
}

export function contextOf<Ports extends object>(services: Services, ports: Ports): Context<Ports> {
  return { ...services, now: services.clock(), ports: replaced(ports, services.stand_ins) };
}

/** The context of a later step of long work, which begins now. */
export function asOfNow<Ctx extends Context>(ctx: Ctx): Ctx {
  return { ...ctx, now: ctx.clock() };
}
