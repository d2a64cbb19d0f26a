/** Counts for Prometheus. Labels are routes and numbers: no name of an organisation, a member or a record. */
export class Metrics {
  readonly #requests = new Map<string, { count: number; seconds: number }>();
  inFlight = 0;

  note(method: string, route: string, status: number, seconds: number): void {
    const labels = `method="${method}",route="${route}",status="${status}"`;
    const row = this.#requests.get(labels) ?? { count: 0, seconds: 0 };
    row.count += 1;
    row.seconds += seconds;
    this.#requests.set(labels, row);
  }

  text(): string {
    const rows = [...this.#requests];
    return [
      '# HELP holdfast_requests_total Answered requests.',
      '# TYPE holdfast_requests_total counter',
      ...rows.map(([labels, { count }]) => `holdfast_requests_total{${labels}} ${count}`),
      '# HELP holdfast_request_seconds_total Time spent answering.',
      '# TYPE holdfast_request_seconds_total counter',
      ...rows.map(([labels, { seconds }]) => `holdfast_request_seconds_total{${labels}} ${seconds.toFixed(6)}`),
      '# HELP holdfast_requests_in_flight Requests in progress.',
      '# TYPE holdfast_requests_in_flight gauge',
      `holdfast_requests_in_flight ${this.inFlight}`,
      '',
    ].join('\n');
  }
}
