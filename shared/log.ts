import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/**
 * Structured logs and embedded metrics (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format.html).
 * A log never holds a token, a body or an email address: only ids, codes, counts and places in the code.
 */
const EMAIL_ADDRESS = /[^\s@<>"'/\\:()]{1,64}@[^\s@<>"'/\\:()]{1,255}\.[a-z]{2,}/gi;
const SECRET = /\bwsk_[A-Za-z0-9_]+/g;

export function redact(text: string): string {
  return text.replace(SECRET, '[secret]').replace(EMAIL_ADDRESS, '[address]');
}

/** An error as it may be logged. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: 'NonError', message: redact(String(error)) };
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  // The message of a JSON syntax error quotes what it could not read.
  if (error instanceof SyntaxError) return { name: error.name, ...cause };
  return { name: error.name, message: redact(error.message), stack: redact(error.stack ?? ''), ...cause };
}

class LineMetrics extends Metrics {
  get isOn(): boolean {
    return !this.isDisabled();
  }

  /** Writes the metrics that were added as one line, with other members beside them: `addMetadata` takes them singly. */
  publishWith(members: object): void {
    if (this.isOn) process.stdout.write(`${JSON.stringify({ ...members, ...this.serializeMetrics() })}\n`);
    this.clearMetrics();
  }
}

let logger: Logger | undefined;
let metrics: LineMetrics | undefined;

export function getLogger(): Logger {
  logger ??= new Logger({ serviceName: 'workspace-api' });
  return logger;
}

export interface RequestOutcome {
  operation: string;
  request_id: string;
  status: number;
  duration_ms: number;
  error_code?: string;
  account_id?: string;
  user_id?: string;
  credential_id?: string;
}

function metricsOf(stage: string): LineMetrics {
  metrics ??= new LineMetrics({
    namespace: 'WorkspaceApi',
    serviceName: 'workspace-api',
    defaultDimensions: { stage },
  });
  return metrics;
}

/**
 * Writes one line for a request: its metrics (EMF), with caller and outcome as metadata, because a custom metric for each
 * operation costs money. Where metrics are off, as in the local run, the line is a log line.
 */
export function recordRequest(stage: string, outcome: RequestOutcome): void {
  const metrics = metricsOf(stage);
  if (!metrics.isOn) {
    getLogger().info('request', { ...outcome });
    return;
  }
  const { status } = outcome;
  metrics.addMetric('Latency', MetricUnit.Milliseconds, outcome.duration_ms);
  metrics.addMetric('ClientError', MetricUnit.Count, status >= 400 && status < 500 ? 1 : 0);
  metrics.addMetric('ServerError', MetricUnit.Count, status >= 500 ? 1 : 0);
  metrics.publishWith({ level: 'INFO', message: 'request', ...outcome });
}

export interface AssistantUsage {
  stage: string;
  account_id: string;
  purpose: string;
  usage: { input_tokens: number; output_tokens: number };
  duration_ms: number;
}

/** One EMF line for work of the assistant. The account is metadata: a custom metric per account costs money. */
export function recordUsage({ stage, account_id, purpose, usage, duration_ms }: AssistantUsage): void {
  const metrics = metricsOf(stage);
  metrics.addMetric('AssistantLatency', MetricUnit.Milliseconds, duration_ms);
  metrics.addMetric('AssistantInputTokens', MetricUnit.Count, usage.input_tokens);
  metrics.addMetric('AssistantOutputTokens', MetricUnit.Count, usage.output_tokens);
  metrics.publishWith({ account_id, purpose });
}
