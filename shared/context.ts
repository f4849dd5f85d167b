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

export function contextOf<Ports extends object>(services: Services, ports: Ports): Context<Ports> {
  return { ...services, now: services.clock(), ports };
}
