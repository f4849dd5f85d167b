import { Dashboard, GraphWidget, type IMetric, type IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Watched } from './alarms.ts';
import { gatewayMetrics, lambdaMetrics, tableMetrics } from './metrics.ts';

/** One page of graphs: what callers see, then functions, queues and table. */

function graph(title: string, left: IMetric[], right: IMetric[] = []): IWidget {
  return new GraphWidget({ title, left, right, width: 12, height: 6 });
}

export function addDashboard(scope: Construct, { names, api, queues }: Watched): void {
  const { requests, client_errors, server_errors, latency } = gatewayMetrics(api);
  const { errors, throttles, concurrency } = lambdaMetrics;
  const { throttled, failed, read_units, write_units } = tableMetrics(names.table);
  const pairs = [...queues.values()];
  new Dashboard(scope, 'Dashboard', {
    dashboardName: `${names.operation_prefix}overview`,
    widgets: [
      [
        graph('Requests and refusals', [requests], [client_errors, server_errors]),
        graph('Latency, ms', [latency(50), latency(95), latency(99)]),
      ],
      [
        graph('Functions: concurrent executions', [concurrency], [throttles, errors]),
        graph('Table: units and refusals', [read_units, write_units], [throttled, failed]),
      ],
      [
        graph(
          'Queues: messages waiting',
          pairs.map(({ queue }) => queue.metricApproximateNumberOfMessagesVisible()),
          pairs.map(({ queue }) => queue.metricApproximateAgeOfOldestMessage()),
        ),
        graph(
          'Queues: dead letters',
          pairs.map(({ dead_letters }) => dead_letters.metricApproximateNumberOfMessagesVisible()),
        ),
      ],
    ],
  });
}
