"use strict";
(() => {
  const root = document.documentElement;
  const said = document.getElementById("said");
  const drawings = [];

  // Colours: as the system, light, dark.
  const themes = ["as the system", "light", "dark"];
  const theme = document.getElementById("theme");
  let chosen = 0;
  theme.parentElement.hidden = false;
  theme.addEventListener("click", () => {
    chosen = (chosen + 1) % themes.length;
    if (chosen) root.dataset.theme = themes[chosen];
    else delete root.dataset.theme;
    theme.textContent = `Colours: ${themes[chosen]}`;
    recolour();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);

  // Tables that can be sorted: by the number a cell begins with, else by its text; what is not there comes last.
  const key = (row, place) => {
    const cell = row.cells[place];
    const text = cell.textContent.trim();
    const number = parseFloat(cell.dataset.v ?? text.replace(/,/g, ""));
    return { text, number, none: text === "" || text === "—" };
  };
  const compare = (one, other, numbers) =>
    numbers ? one.number - other.number : one.text.localeCompare(other.text, "en", { numeric: true });
  const sort = (table, place) => {
    const head = table.tHead.rows[0].cells[place];
    const up = head.getAttribute("aria-sort") === "descending" || (!head.hasAttribute("aria-sort") && !head.classList.contains("n"));
    const direction = up ? 1 : -1;
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, key: key(row, place) }));
    const numbers = head.classList.contains("n");
    rows.sort((a, b) => a.key.none - b.key.none || direction * compare(a.key, b.key, numbers) || 0);
    body.append(...rows.map(({ row }) => row));
    for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    said.textContent = `Sorted by ${head.textContent}, ${up ? "ascending" : "descending"}.`;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((cell, place) => {
      if ("fixed" in cell.dataset) return;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = cell.textContent;
      button.addEventListener("click", () => sort(table, place));
      cell.replaceChildren(button);
    });
  }

  // What does not scroll needs no stop for the keyboard.
  const stops = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const part of document.querySelectorAll(".scroll")) stops.observe(part);

  // The field that shows only rows that hold its words.
  for (const field of document.querySelectorAll(".filter input")) {
    const rows = [...document.getElementById(field.dataset.table).tBodies[0].rows];
    const count = field.parentElement.querySelector(".count");
    field.parentElement.hidden = false;
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        shown += !row.hidden;
      }
      count.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
    });
  }

  // A link to a part that is folded away opens it.
  const open = () => {
    const part = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const folded = part && part.closest("details");
    if (folded && !folded.open) {
      folded.open = true;
      folded.scrollIntoView();
    }
  };
  addEventListener("hashchange", open);

  // Graphs, drawn when their query is opened.
  const data = document.getElementById("graphs");
  const graphs = data ? JSON.parse(data.textContent) : [];
  const states = ["context", "left", "dropped", "unseen"];
  const shapes = ["ellipse", "round-rectangle", "diamond", "triangle"];
  const colour = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();

  const style = () => [
    {
      selector: "node",
      style: {
        label: "data(label)", "font-size": 12, color: colour("ink"), "text-valign": "center", "text-halign": "right",
        "text-margin-x": 5, width: 16, height: 16, "border-width": 2, "background-color": colour("paper"),
        // Edges run below nodes: with nothing of them to be seen behind a label, every label can be read.
        "text-background-color": colour("paper"), "text-background-opacity": 1, "text-background-padding": 3,
      },
    },
    ...states.map((state, place) => ({
      selector: `node.${state}`,
      style: {
        shape: shapes[place], "border-color": colour(state),
        "background-color": place ? colour("paper") : colour(state),
        "border-style": place === 3 ? "dashed" : "solid",
      },
    })),
    { selector: "node.gold", style: { width: 22, height: 22, "border-width": 3, "font-weight": "bold" } },
    {
      selector: "node.lane",
      style: {
        "background-opacity": 0, "border-width": 0, width: 1, height: 1, events: "no", color: colour("soft"),
        "font-weight": "bold", "text-margin-x": -6,
      },
    },
    {
      selector: "edge",
      style: {
        width: 1, "line-color": colour("other"), "line-style": "dotted", "line-opacity": 0.7, "curve-style": "bezier",
        "target-arrow-shape": "triangle", "target-arrow-color": colour("other"), "arrow-scale": 0.7,
      },
    },
    {
      selector: "edge.found",
      style: { width: 1.6, "line-style": "solid", "line-color": colour("soft"), "target-arrow-color": colour("soft"), "line-opacity": 0.9 },
    },
    {
      selector: ".picked",
      style: { "border-width": 5, "line-color": colour("accent"), "target-arrow-color": colour("accent"), width: 2.5 },
    },
    {
      selector: "edge.picked",
      style: {
        label: "data(kind)", "font-size": 11, color: colour("ink"), "text-background-color": colour("paper"),
        "text-background-opacity": 0.9, "text-rotation": "autorotate",
      },
    },
    { selector: "node.picked", style: { width: 24, height: 24 } },
  ];
  function recolour() {
    for (const drawing of drawings) drawing.style(style());
  }

  const elements = (graph) => [
    ...graph.n.map(([label, state, gold, x, y, about], place) => ({
      data: { id: `n${place}`, label: gold ? `★ ${label}` : label, about },
      classes: states[state] + (gold ? " gold" : ""),
      position: { x, y },
    })),
    ...graph.l.map(([label, x, y], place) => ({
      data: { id: `l${place}`, label }, classes: "lane", position: { x, y }, selectable: false, grabbable: false,
    })),
    ...graph.e.map(([source, target, kind, found], place) => ({
      data: { id: `e${place}`, source: `n${source}`, target: `n${target}`, kind },
      classes: found ? "found" : "",
    })),
  ];

  // Labels must stay readable: a drawing that is too wide is shown from its left end.
  const fit = (drawing) => {
    drawing.fit(undefined, 16);
    if (drawing.zoom() < 0.75) {
      const box = drawing.elements().boundingBox();
      drawing.zoom(0.75);
      drawing.pan({ x: 16 - box.x1 * drawing.zoom(), y: 12 - box.y1 * drawing.zoom() });
    }
    if (drawing.zoom() > 1.2) { drawing.zoom(1.2); drawing.center(); }
  };
  const scale = (drawing, factor) =>
    drawing.zoom({ level: drawing.zoom() * factor, renderedPosition: { x: drawing.width() / 2, y: drawing.height() / 2 } });

  const draw = (part) => {
    const canvas = part.querySelector(".canvas");
    if (!canvas || canvas.dataset.drawn || typeof cytoscape === "undefined") return;
    const graph = graphs[Number(canvas.dataset.graph)];
    part.querySelector(".graph").hidden = false;
    canvas.dataset.drawn = String(graph.n.length);
    // As high as the drawing will be, so that a flat one leaves no empty space.
    const across = Math.max(...graph.n.map((node) => node[3])) + 200;
    const down = Math.max(...graph.n.map((node) => node[4])) + 80;
    const zoom = Math.min(Math.max((canvas.clientWidth - 32) / across, 0.75), 1.2);
    canvas.style.height = `${Math.round(Math.max(down * zoom + 24, 140))}px`;
    const drawing = cytoscape({
      container: canvas, elements: elements(graph), style: style(), layout: { name: "preset" },
      userZoomingEnabled: false, boxSelectionEnabled: false, autoungrabify: true, minZoom: 0.1, maxZoom: 4,
      // Labels are scaled as images: with one pixel a unit, parts of letters get lost.
      pixelRatio: Math.max(2, devicePixelRatio),
    });
    drawings.push(drawing);
    fit(drawing);
    const picked = part.querySelector(".picked");
    drawing.on("tap", "node", (event) => {
      drawing.elements().removeClass("picked");
      event.target.addClass("picked").connectedEdges().addClass("picked");
      picked.textContent = event.target.data("about");
    });
    for (const button of part.querySelectorAll(".controls button")) {
      button.addEventListener("click", () => {
        if (button.dataset.do === "fit") drawing.fit(undefined, 16);
        else scale(drawing, button.dataset.do === "in" ? 1.3 : 1 / 1.3);
      });
    }
  };
  for (const part of document.querySelectorAll("details.query")) {
    if (part.open) draw(part);
    part.addEventListener("toggle", () => part.open && draw(part));
  }
  open();
})();
