import * as z from 'zod';
import { timestamp } from '#shared/values.ts';

/** What an account pays for, and by what. */
export const billingSchema = z
  .strictObject({
    provider: z.enum(['none', 'stripe']),
    status: z.string().nullable().meta({ example: 'active' }),
    plan: z.string().nullable().meta({ example: 'team' }),
    seats: z.int().nullable(),
    trial_ends_at: timestamp.nullable(),
    current_period_ends_at: timestamp.nullable(),
    card: z
      .strictObject({
        brand: z.string().meta({ example: 'visa' }),
        last4: z.string().meta({ example: '4242' }),
        exp_month: z.int().meta({ example: 11 }),
        exp_year: z.int().meta({ example: 2029 }),
      })
      .nullable(),
  })
  .meta({ id: 'Billing' });

export type Billing = z.infer<typeof billingSchema>;

/** What names an account at the provider, and what the provider said of it last. */
export interface BillingReference {
  customer_id: string;
  /** Null when the operator ended it at the provider. */
  subscription_id: string | null;
  billing: Billing;
  /** How often it was read since, so that of two readings at once the later one stays. */
  readings: number;
}
