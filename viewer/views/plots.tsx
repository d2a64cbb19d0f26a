import { language } from '../language.ts';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Plots } from '../../src/edges/http/contract.ts';
import { Empty, Loading, Panel, ErrorNote } from '../parts/marks.tsx';
import { useRead } from '../read.ts';
import { counted } from '../shown.ts';

const DAY_S = 86_400;
const secondsOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;
const HEIGHT = 200;
/** Steps of an axis of counts. */
const WHOLE = [1, 10, 100, 1_000, 10_000, 100_000].flatMap((power) => [power, 2 * power, 5 * power]);
/** Steps of a time axis: at least a day, because values are counted by day. */
const DAYS = [1, 2, 3, 4, 5, 7, 10, 15, 30, 60, 90, 180, 365, 730].map((days) => days * DAY_S);
const bars = uPlot.paths.bars?.({ size: [0.7, 40] });

interface PlotProps {
  readonly data: uPlot.AlignedData;
  readonly series: readonly { readonly label: string; readonly colour: string; readonly isBar?: boolean; readonly isDashed?: boolean }[];
  /** A description of the plot for people who cannot see it. */
  readonly label: string;
  readonly isTime?: boolean;
}

const colourOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function Plot({ data, series, label, isTime = true }: PlotProps) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const node = container.current;
    if (!node) return;
    const [first, last] = [Math.min(...data[0]), Math.max(...data[0])];
    const step = isTime ? DAY_S : 0.6;
    const axis = { stroke: colourOf('--quiet'), grid: { stroke: colourOf('--line'), width: 1 }, ticks: { stroke: colourOf('--line') } };
    const plot = new uPlot(
      {
        width: node.clientWidth,
        height: HEIGHT,
        tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC'),
        scales: {
          x: { time: isTime, range: () => [first - step, last + step] },
          y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] },
        },
        legend: { live: false },
        cursor: { y: false },
        axes: [
          { ...axis, incrs: isTime ? DAYS : WHOLE },
          { ...axis, size: 56, incrs: WHOLE },
        ],
        series: [
          {},
          ...series.map(({ label: name, colour, isBar, isDashed }) => ({
            label: name,
            stroke: colourOf(colour),
            width: 2,
            ...(isDashed && { dash: [6, 6], points: { show: false } }),
            ...(isBar && bars && { fill: colourOf(colour), paths: bars, points: { show: false } }),
          })),
        ],
      },
      data,
      node,
    );
    const follow = new ResizeObserver(() => plot.setSize({ width: node.clientWidth, height: HEIGHT }));
    follow.observe(node);
    return () => {
      follow.disconnect();
      plot.destroy();
    };
  }, [data]);
  return <div class="plot" ref={container} role="img" aria-label={label} />;
}

/** Every day from the first to the last, so that a quiet one shows as quiet. */
function daysOf(days: readonly string[]): number[] {
  const times = days.map(secondsOf);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  return Array.from({ length: Math.round((to - from) / DAY_S) + 1 }, (_, at) => from + at * DAY_S);
}

function Growth({ plots }: { readonly plots: Plots }) {
  const days = daysOf(plots.records.map(({ day }) => day));
  const perDay = new Map<number, number>();
  for (const { day, count } of plots.records) perDay.set(secondsOf(day), (perDay.get(secondsOf(day)) ?? 0) + count);
  let sum = 0;
  const total = days.map((day) => (sum += perDay.get(day) ?? 0));
  return (
    <Panel title="Memories" aside={<span class="quiet">{counted(sum, 'record')}</span>}>
      <Plot label={`Records over time, ${sum} in all`} data={[days, total]} series={[{ label: 'records', colour: '--accent' }]} />
    </Panel>
  );
}

function Injected({ plots }: { readonly plots: Plots }) {
  const days = daysOf(plots.injections.map(({ day }) => day));
  const byDay = new Map(plots.injections.map((one) => [secondsOf(one.day), one]));
  return (
    <Panel
      title="Injections a day"
      aside={
        <span class="quiet">
          {counted(
            plots.injections.reduce((sum, one) => sum + one.blocks, 0),
            'block',
          )}
        </span>
      }
    >
      <Plot
        label="Injections a day"
        data={[days, days.map((day) => byDay.get(day)?.blocks ?? null)]}
        series={[{ label: 'blocks', colour: '--second', isBar: true }]}
      />
    </Panel>
  );
}

function Tokens({ plots }: { readonly plots: Plots }) {
  const places = plots.sessions.map((_, at) => at + 1);
  return (
    <Panel title="Tokens a session" aside={<span class="quiet">budget {plots.budget.toLocaleString(language)}</span>}>
      <Plot
        label={`Tokens that each session was given; the budget is ${plots.budget}`}
        isTime={false}
        data={[places, plots.sessions.map(({ tokens }) => tokens), places.map(() => plots.budget)]}
        series={[
          { label: 'tokens', colour: '--accent', isBar: true },
          { label: 'budget', colour: '--warn', isDashed: true },
        ]}
      />
    </Panel>
  );
}

function Useful({ plots }: { readonly plots: Plots }) {
  if (plots.verdicts.length === 0)
    return (
      <Panel title="Found useful">
        <p class="quiet">No verdicts yet. Give one with the buttons beside an injection.</p>
      </Panel>
    );
  let [useful, all] = [0, 0];
  const share = plots.verdicts.map((one) => {
    useful += one.useful;
    all += one.useful + one.other;
    return (100 * useful) / all;
  });
  return (
    <Panel title="Found useful" aside={<span class="quiet">{`${useful} of ${all}`}</span>}>
      <Plot
        label={`Share of judged injections found useful: ${useful} of ${all}`}
        data={[plots.verdicts.map(({ day }) => secondsOf(day)), share]}
        series={[{ label: '% useful', colour: '--good' }]}
      />
    </Panel>
  );
}

const WEEKS = 53;

/** The month that begins in a week, for the line above the days. */
function monthStarting(week: number): string {
  const sunday = new Date((week + 6 * DAY_S) * 1000);
  return sunday.getUTCDate() <= 7 ? sunday.toLocaleDateString(language, { month: 'short', timeZone: 'UTC' }) : '';
}

/** Scrolls to the end of the year, where it does not fit. */
const showEnd = (node: HTMLDivElement | null): void => {
  if (node) node.scrollLeft = node.scrollWidth;
};

function Calendar({ plots }: { readonly plots: Plots }) {
  const counts = new Map(plots.activity.map(({ day, count }) => [day, count]));
  const last = plots.activity.at(-1)?.day ?? new Date().toISOString().slice(0, 10);
  const end = secondsOf(last);
  const monday = end - ((new Date(end * 1000).getUTCDay() + 6) % 7) * DAY_S;
  const most = Math.max(1, ...counts.values());
  const weeks = Array.from({ length: WEEKS }, (_, week) => monday - (WEEKS - 1 - week) * 7 * DAY_S);
  return (
    <Panel title="Activity" aside={<span class="quiet">the year up to {last}</span>}>
      <div class="calendar" ref={showEnd} role="img" aria-label={`Activity by day, on ${counts.size} days`}>
        {weeks.map((week) => (
          <div>
            <b>{monthStarting(week)}</b>
            {[0, 1, 2, 3, 4, 5, 6].map((offset) => {
              const day = new Date((week + offset * DAY_S) * 1000).toISOString().slice(0, 10);
              const count = counts.get(day) ?? 0;
              return <i class={`heat${count === 0 ? 0 : Math.ceil((4 * Math.log1p(count)) / Math.log1p(most))}`} title={`${day}: ${count}`} />;
            })}
          </div>
        ))}
      </div>
    </Panel>
  );
}

/** The growth of the memory, its injections, and whether they helped. */
export function PlotsView({ project }: { readonly project: string }) {
  const { data: plots, error } = useRead('plots', { project });
  if (error) return <ErrorNote error={error} />;
  if (!plots) return <Loading />;
  if (plots.records.length + plots.injections.length + plots.activity.length === 0)
    return (
      <Empty title="Nothing to plot yet">
        <p>Plots show how the memory grows and what it gives to your agents.</p>
        <p>
          <code>holdfast import</code> brings in conversations, <code>holdfast start</code> turns memory on.
        </p>
      </Empty>
    );
  return (
    <div class="view plots">
      <header class="head">
        <h1>Plots</h1>
      </header>
      <Calendar plots={plots} />
      <div class="columns even">
        {plots.records.length > 0 && <Growth plots={plots} />}
        {plots.injections.length > 0 && <Injected plots={plots} />}
        {plots.sessions.length > 0 && <Tokens plots={plots} />}
        <Useful plots={plots} />
      </div>
    </div>
  );
}
