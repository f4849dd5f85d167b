import type { SendsPushes } from '#shared/domain/collaboration/notifications/push/service.ts';
import { servicesOf } from '#shared/providers/push/services.ts';

/** The push services that the configuration has keys for. For the worker only. */
export const pushServices: SendsPushes = {
  push_services: ({ push_credentials }) => servicesOf(push_credentials),
};
