// A layout of a graph: vertices push each other away, edges pull. Always the same for the same graph.

export interface Body {
  x: number;
  y: number;
}

const turns = 300;
const spring = 90;

export function layOut(vertices: number, edges: [number, number][]): Body[] {
  // A sunflower's spiral: nobody begins where another does.
  const bodies: Body[] = Array.from({ length: vertices }, (_, i) => ({ x: Math.sqrt(i) * 40 * Math.cos(i * 2.399963), y: Math.sqrt(i) * 40 * Math.sin(i * 2.399963) }));
  const rounds = vertices > 200 ? turns / 3 : turns;
  for (let turn = 0; turn < rounds; turn++) {
    const heat = 30 * (1 - turn / rounds) + 0.5;
    const push: Body[] = bodies.map((body) => ({ x: -body.x * 0.02, y: -body.y * 0.02 }));
    for (let i = 0; i < vertices; i++) {
      for (let j = i + 1; j < vertices; j++) {
        const dx = bodies[i]!.x - bodies[j]!.x;
        const dy = bodies[i]!.y - bodies[j]!.y;
        const square = Math.max(25, dx * dx + dy * dy);
        const force = (spring * spring) / square;
        push[i]!.x += (dx / Math.sqrt(square)) * force;
        push[i]!.y += (dy / Math.sqrt(square)) * force;
        push[j]!.x -= (dx / Math.sqrt(square)) * force;
        push[j]!.y -= (dy / Math.sqrt(square)) * force;
      }
    }
    for (const [from, to] of edges) {
      const a = bodies[from]!;
      const b = bodies[to]!;
      const length = Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
      const force = (length - spring) * 0.08;
      const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
      push[from]!.x += ux * force;
      push[from]!.y += uy * force;
      push[to]!.x -= ux * force;
      push[to]!.y -= uy * force;
    }
    for (let i = 0; i < vertices; i++) {
      const length = Math.hypot(push[i]!.x, push[i]!.y) || 1;
      const step = Math.min(length, heat);
      bodies[i]!.x += (push[i]!.x / length) * step;
      bodies[i]!.y += (push[i]!.y / length) * step;
    }
  }
  return bodies;
}
