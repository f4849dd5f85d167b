import { randomUUID } from 'node:crypto';

/** The part of Stripe that the service uses: customers, subscriptions, cards and invoices. */

export class Refused extends Error {
  readonly status: number;
  readonly error: { type: string; code?: string; message: string };

  constructor(status: number, code: string, type = 'invalid_request_error') {
    super(code);
    this.status = status;
    this.error = { type, code, message: `${code} of ada@acme.example, card 4242424242424242` };
  }
}

const missing = () => new Refused(404, 'resource_missing');
const declined = () => new Refused(402, 'card_declined', 'card_error');

export interface Customer {
  id: string;
  object: 'customer';
  name: string;
  email: string;
  metadata: Record<string, string>;
  invoice_settings: { default_payment_method: string | null };
  deleted?: true;
}

export interface Subscription {
  id: string;
  object: 'subscription';
  customer: string;
  status: string;
  metadata: Record<string, string>;
  default_payment_method: string | null;
  trial_end: number | null;
  items: {
    data: { id: string; quantity: number; current_period_end: number; price: Record<string, unknown> }[];
  };
}

export interface Method {
  id: string;
  object: 'payment_method';
  customer: string | null;
  card?: { brand: string; last4: string; exp_month: number; exp_year: number };
  /** Nothing can be paid with it. */
  declines?: boolean;
}

export interface Invoice {
  id: string;
  object: 'invoice';
  customer: string;
  status: 'open' | 'paid';
  collection_method: string;
}

// biome-ignore lint/suspicious/noExplicitAny: forms of many shapes
type Form = Record<string, any>;

const idOf = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
const ended = ({ status }: Subscription) => status === 'canceled' || status === 'incomplete_expired';

/** By operation, the parameters that it knows: Stripe refuses all others. */
const PARAMETERS: Record<string, string[]> = {
  'POST /v1/customers': ['name', 'email', 'metadata'],
  'GET /v1/customers': ['email', 'limit', 'starting_after'],
  'POST /v1/customers/:id': ['invoice_settings'],
  'POST /v1/subscriptions': [
    ...['customer', 'items', 'payment_behavior', 'metadata', 'trial_period_days'],
    'default_payment_method',
  ],
  'GET /v1/subscriptions': ['customer', 'status', 'limit', 'expand'],
  'POST /v1/subscriptions/:id': ['items', 'default_payment_method'],
  'POST /v1/setup_intents': ['customer', 'allowed_payment_method_types', 'usage'],
  'POST /v1/payment_methods/:id/attach': ['customer'],
  'GET /v1/invoices': ['customer', 'status', 'limit'],
  'POST /v1/invoices/:id/pay': ['payment_method'],
};

export class StripeWorld {
  readonly customers = new Map<string, Customer>();
  /** Oldest first. */
  readonly subscriptions = new Map<string, Subscription>();
  readonly methods = new Map<string, Method>();
  readonly invoices = new Map<string, Invoice>();

  /** Those of an account, as its metadata say. */
  customersOf(account_id: string): Customer[] {
    return [...this.customers.values()].filter(({ metadata }) => metadata.account_id === account_id);
  }

  subscriptionsOf(account_id: string): Subscription[] {
    return [...this.subscriptions.values()].filter(({ metadata }) => metadata.account_id === account_id);
  }

  givenCustomer(
    draft: Pick<Customer, 'name' | 'email' | 'metadata'> = { name: 'Acme', email: '', metadata: {} },
  ) {
    const invoice_settings = { default_payment_method: null };
    const customer: Customer = { id: idOf('cus'), object: 'customer', ...draft, invoice_settings };
    this.customers.set(customer.id, customer);
    return customer;
  }

  givenCard(customer: string | null = null, declines = false): Method {
    const id = idOf('pm');
    const last4 = String(1_000 + this.methods.size);
    const card = { brand: 'visa', last4, exp_month: 11, exp_year: 2029 };
    const method: Method = { id, object: 'payment_method', customer, card, declines };
    this.methods.set(id, method);
    return method;
  }

  givenInvoice(customer: string, collection_method = 'charge_automatically'): Invoice {
    const invoice: Invoice = {
      id: idOf('in'),
      object: 'invoice',
      customer,
      status: 'open',
      collection_method,
    };
    this.invoices.set(invoice.id, invoice);
    return invoice;
  }

  answer(operation: string, form: Form): object {
    const [, id = ''] = /\/((?:cus|sub|pm|in)_\w+)/.exec(operation) ?? [];
    const general = id === '' ? operation : operation.replace(id, ':id');
    const known = PARAMETERS[general] ?? [];
    if (Object.keys(form).some((name) => !known.includes(name))) throw new Refused(400, 'parameter_unknown');
    const answer = this.operations[general];
    if (!answer) throw new Refused(404, 'unrecognized_request');
    return answer(form, id);
  }

  private customer(id: string): Customer {
    const found = this.customers.get(id);
    if (!found || found.deleted) throw missing();
    return found;
  }

  private method(id: string): Method {
    const found = this.methods.get(id);
    if (!found) throw missing();
    return found;
  }

  private subscription(id: string): Subscription {
    const found = this.subscriptions.get(id);
    if (!found || ended(found)) throw missing();
    return found;
  }

  private shown(subscription: Subscription, expand: string[] = []): object {
    const own = subscription.default_payment_method;
    const customer = this.customers.get(subscription.customer) as Customer;
    const general = customer.invoice_settings.default_payment_method;
    const method = (id: string | null, name: string) =>
      id !== null && expand.includes(name) ? this.methods.get(id) : id;
    const invoice_settings = {
      default_payment_method: method(general, 'data.customer.invoice_settings.default_payment_method'),
    };
    return {
      ...subscription,
      default_payment_method: method(own, 'data.default_payment_method'),
      customer: expand.some((each) => each.startsWith('data.customer'))
        ? { ...customer, invoice_settings }
        : customer.id,
    };
  }

  private subscribe({ customer, items, metadata, trial_period_days, ...form }: Form): object {
    this.customer(customer);
    if (items[0].price !== 'price_team') throw new Refused(400, 'resource_missing');
    const card = form.default_payment_method ? this.method(form.default_payment_method) : undefined;
    if (form.payment_behavior === 'error_if_incomplete' && card?.declines) throw declined();
    const now = Math.floor(Date.now() / 1_000);
    const trial_end = trial_period_days ? now + Number(trial_period_days) * 86_400 : null;
    const status = trial_end === null ? (card ? 'active' : 'incomplete') : 'trialing';
    const price = { id: 'price_team', object: 'price', lookup_key: 'team', nickname: 'For teams' };
    const item = {
      ...{ id: idOf('si'), quantity: Number(items[0].quantity), price },
      current_period_end: trial_end ?? now + 30 * 86_400,
    };
    const subscription: Subscription = {
      ...{ id: idOf('sub'), object: 'subscription', customer, status, metadata, trial_end },
      default_payment_method: card?.id ?? null,
      items: { data: [item] },
    };
    this.subscriptions.set(subscription.id, subscription);
    return this.shown(subscription);
  }

  private end(subscription: Subscription): object {
    subscription.status = 'canceled';
    return this.shown(subscription);
  }

  private pay(id: string, payment_method: string): object {
    const invoice = this.invoices.get(id);
    if (invoice?.status !== 'open') throw new Refused(400, 'invoice_not_open');
    if (this.method(payment_method).declines) throw declined();
    invoice.status = 'paid';
    for (const each of this.subscriptions.values())
      if (each.customer === invoice.customer && !ended(each)) each.status = 'active';
    return invoice;
  }

  private readonly operations: Record<string, (form: Form, id: string) => object> = {
    'POST /v1/customers': ({ name, email, metadata }) => this.givenCustomer({ name, email, metadata }),
    'GET /v1/customers': ({ email, limit = '10', starting_after }) => {
      const all = [...this.customers.values()].filter((each) => each.email === email && !each.deleted);
      const from = starting_after ? all.findIndex(({ id }) => id === starting_after) + 1 : 0;
      const data = all.slice(from, from + Number(limit));
      return { object: 'list', url: '/v1/customers', data, has_more: from + data.length < all.length };
    },
    'GET /v1/customers/:id': (_, id) => {
      const found = this.customers.get(id);
      if (!found) throw missing();
      return found.deleted ? { id, object: 'customer', deleted: true } : found;
    },
    'POST /v1/customers/:id': ({ invoice_settings }, id) => {
      const customer = this.customer(id);
      if (this.method(invoice_settings.default_payment_method).customer !== id)
        throw new Refused(400, 'resource_missing');
      return Object.assign(customer, { invoice_settings });
    },
    'DELETE /v1/customers/:id': (_, id) => {
      this.customer(id).deleted = true;
      for (const each of this.subscriptions.values()) if (each.customer === id) each.status = 'canceled';
      return { id, object: 'customer', deleted: true };
    },
    'POST /v1/subscriptions': (form) => this.subscribe(form),
    'GET /v1/subscriptions': ({ customer, limit, expand }) => {
      this.customer(customer);
      const all = [...this.subscriptions.values()].filter((each) => each.customer === customer).reverse();
      const data = all.slice(0, Number(limit)).map((each) => this.shown(each, expand));
      return { object: 'list', url: '/v1/subscriptions', data, has_more: false };
    },
    'GET /v1/subscriptions/:id': (_, id) => this.shown(this.subscription(id)),
    'POST /v1/subscriptions/:id': ({ items, default_payment_method }, id) => {
      const subscription = this.subscription(id);
      if (items && subscription.status === 'incomplete') throw new Refused(400, 'subscription_incomplete');
      const item = subscription.items.data.find(({ id }) => id === items?.[0].id);
      if (item) item.quantity = Number(items[0].quantity);
      if (default_payment_method === '') subscription.default_payment_method = null;
      return this.shown(subscription);
    },
    'DELETE /v1/subscriptions/:id': (_, id) => this.end(this.subscription(id)),
    'POST /v1/setup_intents': ({ customer }) => {
      this.customer(customer);
      const id = idOf('seti');
      return { id, object: 'setup_intent', customer, client_secret: `${id}_secret_${randomUUID()}` };
    },
    'GET /v1/payment_methods/:id': (_, id) => this.method(id),
    'POST /v1/payment_methods/:id/attach': ({ customer }, id) => {
      const method = this.method(id);
      if (method.customer !== null) throw new Refused(400, 'payment_method_unexpected_state');
      return Object.assign(method, { customer });
    },
    'GET /v1/invoices': ({ customer, status }) => ({
      object: 'list',
      url: '/v1/invoices',
      data: [...this.invoices.values()].filter(
        (each) => each.customer === customer && each.status === status,
      ),
      has_more: false,
    }),
    'GET /v1/invoices/:id': (_, id) => this.invoices.get(id) ?? { status: 'void' },
    'POST /v1/invoices/:id/pay': ({ payment_method }, id) => this.pay(id, payment_method),
  };
}
